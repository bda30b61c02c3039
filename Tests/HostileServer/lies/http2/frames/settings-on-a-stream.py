# pod_manifest: SETTINGS on a stream.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(SETTINGS, 0, exchange.stream)])
