# pod_manifest: A pod's manifest that leads to itself.
# expected: anything
act = body(lambda: START + "#EXT-X-STREAM-INF:BANDWIDTH=1\npod.m3u8\n")
