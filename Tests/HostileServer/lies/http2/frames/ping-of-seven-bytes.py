# pod_manifest: PING of seven bytes.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(PING, 0, 0, b"1234567")])
