# pod_manifest: A pod's manifest of 7,000 variants.
# expected: anything
act = body(lambda: START + numbered("#EXT-X-STREAM-INF:BANDWIDTH=1{}\np{}.m3u8\n".replace("p{}", "pod"), 6_000))
