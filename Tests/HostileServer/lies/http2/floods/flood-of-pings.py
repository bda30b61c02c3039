# pod_manifest: PING for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(PING, 0, 0, b"12345678"))
