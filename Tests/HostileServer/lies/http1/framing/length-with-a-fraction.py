# pod_manifest: A length with a fraction.
# expected: anything
act = length(lambda count: [f"{count}.0"])
