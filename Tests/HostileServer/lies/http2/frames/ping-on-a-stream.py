# pod_manifest: PING on a stream.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(PING, 0, exchange.stream, b"12345678")])
