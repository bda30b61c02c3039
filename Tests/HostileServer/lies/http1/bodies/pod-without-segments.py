# pod_manifest: A pod without segments.
# expected: anything
act = body(lambda: vod(""))
