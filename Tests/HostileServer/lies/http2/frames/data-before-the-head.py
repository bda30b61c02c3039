# pod_manifest: DATA before HEADERS.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.data(exchange.body(), END_STREAM)])
