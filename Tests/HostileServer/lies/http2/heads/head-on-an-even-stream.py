# pod_manifest: HEADERS on a stream of the server's.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, 2, fields())])
