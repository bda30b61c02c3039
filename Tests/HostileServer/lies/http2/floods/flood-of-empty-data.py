# pod_manifest: DATA without bytes for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(DATA, 0, exchange.stream))
