# pod_manifest: DATA with padding longer than the frame.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head(), frame(DATA, PADDED, exchange.stream, b"\xffxx")])
