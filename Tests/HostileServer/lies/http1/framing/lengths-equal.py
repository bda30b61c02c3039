# pod_manifest: The same length in two fields.
# expected: anything
act = length(lambda count: [str(count)] * 2)
