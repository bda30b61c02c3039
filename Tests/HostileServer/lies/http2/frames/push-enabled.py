# pod_manifest: SETTINGS that a server may not send.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(SETTINGS, 0, 0, struct.pack(">HI", 2, 1))])
