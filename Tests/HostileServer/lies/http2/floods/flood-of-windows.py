# pod_manifest: WINDOW_UPDATE of one for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(WINDOW, 0, 0, struct.pack(">I", 1)))
