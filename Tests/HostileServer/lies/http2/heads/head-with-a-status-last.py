# pod_manifest: A status behind a field.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, literal("a", "b") + fields())])
