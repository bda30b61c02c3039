# pod_manifest: SETTINGS for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535)))
