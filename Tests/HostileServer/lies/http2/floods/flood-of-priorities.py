# pod_manifest: PRIORITY for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(PRIORITY, 0, exchange.stream, b"\0\0\0\0\1"))
