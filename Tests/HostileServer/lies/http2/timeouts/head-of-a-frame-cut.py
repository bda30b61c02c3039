# pod_manifest: A frame whose rest never comes.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout
# What else is sent on the connection is taken for the rest, and breaks it where there is enough of it.
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields(), length=4_000)])
