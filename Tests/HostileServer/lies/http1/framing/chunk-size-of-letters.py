# pod_manifest: A size that is no number.
# expected: protocol_error
act = chunks(lambda body, size: b"zz\r\n" + body + b"\r\n" + END)
