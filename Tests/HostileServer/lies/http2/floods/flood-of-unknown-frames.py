# pod_manifest: Frames of a kind that there is not.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(0xF0, 0, 0, b"x" * 1_000))
