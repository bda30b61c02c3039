# pod_manifest: A length that is not the body's.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head(("content-length", "9")), exchange.data(exchange.body(), END_STREAM)])
