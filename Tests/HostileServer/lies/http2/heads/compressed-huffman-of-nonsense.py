# pod_manifest: A Huffman code that there is not.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + b"\0\x84\xff\xff\xff\xff\1b")])
