# pod_manifest: A status that is no number.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head(status="abc")])
