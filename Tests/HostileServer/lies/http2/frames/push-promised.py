# pod_manifest: A promise, which was forbidden.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(PUSH, END_HEADERS, exchange.stream, word(2) + fields())])
