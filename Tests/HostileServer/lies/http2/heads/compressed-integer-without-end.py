# pod_manifest: An integer past all bits.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + b"\xff" + b"\xff" * 30 + b"\x7f")])
