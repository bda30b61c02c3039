# pod_manifest: A field without a name.
# expected: anything
act = fields(": value")
