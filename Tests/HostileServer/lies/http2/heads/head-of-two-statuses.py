# pod_manifest: Two statuses.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + literal(":status", "500"))])
