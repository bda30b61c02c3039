# pod_manifest: The same length twice in one field.
# expected: anything
act = length(lambda count: [f"{count}, {count}"])
