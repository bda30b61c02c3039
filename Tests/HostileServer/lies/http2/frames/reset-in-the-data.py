# pod_manifest: The stream is reset in its body.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head(), exchange.data(b"#EXTM3U\n"), frame(RST, 0, exchange.stream, word(2))])
