# pod_manifest: HEADERS on no stream.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(HEADERS, END_HEADERS, 0, fields())])
