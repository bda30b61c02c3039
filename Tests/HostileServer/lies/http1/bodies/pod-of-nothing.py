# pod_manifest: An empty pod.
# expected: anything
act = body(lambda: "")
