# pod_manifest: Closed before the last chunk.
# expected: truncated, connection_reset, protocol_error
act = chunks(lambda body, size: size + body + b"\r\n")
