# pod_manifest: GOAWAY with a stream that there is not.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout
act = frames(lambda exchange: [frame(GOAWAY, 0, 0, word(0x7FFFFFFF) + word(0))])
