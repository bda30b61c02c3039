# pod_manifest: RST_STREAM on no stream.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(RST, 0, 0, word(8))])
