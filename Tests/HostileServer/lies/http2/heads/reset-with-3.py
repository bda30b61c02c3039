# pod_manifest: The stream ends with error 3.
# expected: protocol_error
act = frames(lambda exchange: [frame(RST, 0, exchange.stream, word(3))])
