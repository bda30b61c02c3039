# pod_manifest: Two lengths in one field.
# expected: anything
act = length(lambda count: [f"{count}, {count + 1}"])
