# pod_manifest: A string longer than the frame.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + b"\0\x7f\xff\xff\x7f" + b"a")])
