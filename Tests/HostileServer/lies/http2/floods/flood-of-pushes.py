# pod_manifest: Promises for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(PUSH, END_HEADERS, exchange.stream, struct.pack(">I", 2) + fields()))
