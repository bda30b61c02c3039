# pod_manifest: CR alone in a value.
# expected: anything
act = fields("X-A: a\rContent-Length: 1")
