# pod_manifest: The stream is refused.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = frames(lambda exchange: [frame(RST, 0, exchange.stream, word(7))])
