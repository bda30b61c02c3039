# pod_manifest: A pod of as many segments as fit.
# expected: anything
act = body(lambda: vod(numbered("#EXTINF:1,\ns{}\n", 14_000)))
