# pod_manifest: DATA on no stream.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(DATA, 0, 0, b"x")])
