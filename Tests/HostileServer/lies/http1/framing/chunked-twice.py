# pod_manifest: Chunks in chunks.
# expected: anything
act = chunks(lambda body, size: size + body + b"\r\n" + END, fields=("Transfer-Encoding: chunked, chunked",))
