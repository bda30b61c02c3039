# pod_manifest: A length with a plus sign.
# expected: anything
act = length(lambda count: [f"+{count}"])
