# pod_manifest: RST_STREAM of five bytes.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(RST, 0, exchange.stream, b"12345")])
