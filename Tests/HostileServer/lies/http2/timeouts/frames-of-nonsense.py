# pod_manifest: Bytes that are no frames.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout
act = frames(lambda exchange: [b"\xff" * 1_000])
