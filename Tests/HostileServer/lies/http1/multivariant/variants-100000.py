# multivariant: As many variants as fit.
# expected: anything
act = body(lambda: START + numbered("#EXT-X-STREAM-INF:BANDWIDTH=1{}\nmedia.m3u8\n", 90_000))
