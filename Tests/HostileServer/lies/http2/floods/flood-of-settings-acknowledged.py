# pod_manifest: SETTINGS acknowledged for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(SETTINGS, ACK))
