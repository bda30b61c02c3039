# pod_manifest: DATA on a stream that there is not.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(DATA, 0, exchange.stream + 100, b"x")])
