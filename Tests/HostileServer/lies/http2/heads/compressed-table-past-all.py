# pod_manifest: A table larger than was agreed on.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, b"\x3f\xff\xff\xff\x7f" + fields())])
