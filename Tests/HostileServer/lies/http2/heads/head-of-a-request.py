# pod_manifest: A field of requests.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [exchange.head((":path", "/"))])
