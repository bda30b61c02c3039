# pod_manifest: PING within a head.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, 0, exchange.stream, fields()), frame(PING, 0, 0, b"12345678")])
