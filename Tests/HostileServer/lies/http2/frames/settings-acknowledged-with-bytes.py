# pod_manifest: An acknowledgement with bytes in it.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(SETTINGS, ACK, 0, b"123456")])
