# pod_manifest: A pod that never ends.
# expected: anything
act = body(lambda: live(""))
