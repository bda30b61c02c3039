# pod_manifest: Escape sequences in a value.
# expected: anything
act = fields("Server: \x1b[2J\x07")
