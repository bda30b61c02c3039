# pod_manifest: RST_STREAM for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(RST, 0, exchange.stream, struct.pack(">I", 8)))
