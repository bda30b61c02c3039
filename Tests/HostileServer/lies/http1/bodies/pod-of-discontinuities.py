# pod_manifest: A pod of 5,000 ads.
# expected: anything
act = body(lambda: vod(numbered("#EXT-X-DISCONTINUITY\n#EXTINF:1,\ns{}\n", 6_000)))
