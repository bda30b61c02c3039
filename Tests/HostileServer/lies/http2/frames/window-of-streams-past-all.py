# pod_manifest: An initial window past 31 bits.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0xFFFFFFFF))])
