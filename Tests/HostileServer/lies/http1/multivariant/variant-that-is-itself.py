# multivariant: A variant that is the multivariant playlist.
# expected: anything
act = body(lambda: START + "#EXT-X-STREAM-INF:BANDWIDTH=1\nmaster.m3u8\n")
