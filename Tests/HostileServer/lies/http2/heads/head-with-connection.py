# pod_manifest: A field of HTTP/1.1.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head(("connection", "close"))])
