# pod_manifest: SETTINGS of no whole entry.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(SETTINGS, 0, 0, b"12345")])
