# pod_manifest: The stream is reset behind its head.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head(), frame(RST, 0, exchange.stream, word(2))])
