# pod_manifest: Two lengths in two fields.
# expected: anything
act = length(lambda count: [str(count), str(count - 9)])
