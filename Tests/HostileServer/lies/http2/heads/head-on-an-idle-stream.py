# pod_manifest: HEADERS on a stream that there is not.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream + 100, fields())])
