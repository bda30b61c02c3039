# pod_manifest: WINDOW_UPDATE of nought on the connection.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(WINDOW, 0, 0, word(0))])
