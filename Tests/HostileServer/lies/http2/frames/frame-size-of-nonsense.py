# pod_manifest: A largest frame that is too small.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(SETTINGS, 0, 0, struct.pack(">HI", 5, 1))])
