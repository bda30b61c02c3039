# pod_manifest: Closed in the middle of a chunk.
# expected: truncated, connection_reset, protocol_error
act = chunks(lambda body, size: size + body[:40])
