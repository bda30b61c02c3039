# pod_manifest: A space between name and colon.
# expected: anything
act = fields("X-A : b")
