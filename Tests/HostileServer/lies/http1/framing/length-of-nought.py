# pod_manifest: A body behind a length of nought.
# expected: anything
act = length(lambda count: ["0"])
