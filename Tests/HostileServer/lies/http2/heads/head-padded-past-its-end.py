# pod_manifest: Padding longer than the frame.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS | PADDED, exchange.stream, b"\xff" + fields())])
