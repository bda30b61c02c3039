# pod_manifest: A length that is folded.
# expected: anything
act = fields("X-A: a\r\n Content-Length: 3")
