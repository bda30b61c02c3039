# pod_manifest: No line end behind a chunk.
# expected: protocol_error
act = chunks(lambda body, size: size + body + b"xx" + END)
