# pod_manifest: A size with 0x before it.
# expected: protocol_error
act = chunks(lambda body, size: b"0x" + size + body + b"\r\n" + END)
