# pod_manifest: A size that no memory holds.
# expected: protocol_error, truncated, connection_reset, protocol_error, body_too_large, total_timeout
act = chunks(lambda body, size: b"7fffffffffffffff\r\n" + body, silent=True)
