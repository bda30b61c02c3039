# pod_manifest: A NUL in a name.
# expected: protocol_error
act = fields("X\0A: ab")
