# pod_manifest: A name in capitals.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head(("X-A", "b"))])
