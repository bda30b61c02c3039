# pod_manifest: Acknowledgements of what nobody sent.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(PING, ACK, 0, b"1" * 8))
