# pod_manifest: A NUL in a value.
# expected: protocol_error
act = fields("X-A: a\0b")
