# pod_manifest: The stream ends with error 0.
# expected: connection_reset
act = frames(lambda exchange: [frame(RST, 0, exchange.stream, word(0))])
