# pod_manifest: Segments of no length.
# expected: anything
act = body(lambda: vod("#EXTINF:0,\n/a/ad.ts\n" * 1_000))
