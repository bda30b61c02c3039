# pod_manifest: A value that goes on in the next line.
# expected: anything
act = fields("X-A: a\r\n b")
