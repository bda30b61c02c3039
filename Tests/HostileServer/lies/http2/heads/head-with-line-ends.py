# pod_manifest: Line ends in a value.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head(("x-a", "b\r\nx-c: d"))])
