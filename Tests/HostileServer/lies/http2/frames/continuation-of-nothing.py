# pod_manifest: CONTINUATION of no head.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(CONTINUATION, END_HEADERS, exchange.stream, fields())])
