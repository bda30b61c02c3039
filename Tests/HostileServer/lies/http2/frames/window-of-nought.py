# pod_manifest: WINDOW_UPDATE of nought on the stream.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(WINDOW, 0, exchange.stream, word(0))])
