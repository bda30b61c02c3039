# pod_manifest: The stream ends with error 8.
# expected: connection_reset
act = frames(lambda exchange: [frame(RST, 0, exchange.stream, word(8))])
