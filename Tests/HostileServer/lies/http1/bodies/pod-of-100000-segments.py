# pod_manifest: A pod of a hundred thousand segments.
# expected: body_too_large
act = body(lambda: vod(numbered("#EXTINF:1,\n/a/s{}.ts\n", 100_000)))
