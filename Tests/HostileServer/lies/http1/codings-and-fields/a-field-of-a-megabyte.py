# pod_manifest: A value of a megabyte.
# expected: protocol_error
act = fields("X-A: " + "a" * 1_000_000)
