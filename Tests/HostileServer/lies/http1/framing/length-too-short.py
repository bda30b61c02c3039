# pod_manifest: A body longer than its length.
# expected: anything
act = length(lambda count: [str(count - 20)])
