# pod_manifest: Chunks beside a length.
# expected: anything
act = chunks(lambda body, size: size + body + b"\r\n" + END, fields=("Transfer-Encoding: chunked", "Content-Length: 12"))
