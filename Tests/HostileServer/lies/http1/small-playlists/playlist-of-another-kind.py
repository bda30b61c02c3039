# playlist: A multivariant playlist where a media playlist was.
# expected: anything
act = body(lambda: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8\n")
