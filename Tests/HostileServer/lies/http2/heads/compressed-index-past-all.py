# pod_manifest: A field of the table that there is not.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + b"\xff\xff\x7f")])
