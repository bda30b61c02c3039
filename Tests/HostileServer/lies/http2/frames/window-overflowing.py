# pod_manifest: Windows past 31 bits.
# expected: protocol_error, connection_reset, truncated, other_failure
act = frames(lambda exchange: [frame(WINDOW, 0, 0, word(0x7FFFFFFF))] * 3)
