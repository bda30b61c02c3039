# pod_manifest: GOAWAY on a stream.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(GOAWAY, 0, exchange.stream, word(0) + word(0))])
