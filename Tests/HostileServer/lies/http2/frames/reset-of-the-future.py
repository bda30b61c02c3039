# pod_manifest: RST_STREAM of a stream that is not open yet.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(RST, 0, exchange.stream + 100, word(8))])
