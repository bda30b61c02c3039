# pod_manifest: A line where a size should be.
# expected: protocol_error
act = chunks(lambda body, size: b"\r\n" + body + b"\r\n" + END)
