# pod_manifest: A name of a megabyte.
# expected: protocol_error
act = fields("X" * 1_000_000 + ": a")
