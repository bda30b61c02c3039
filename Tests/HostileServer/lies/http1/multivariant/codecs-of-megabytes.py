# multivariant: Codecs of three megabytes.
# expected: anything
act = body(lambda: START + '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="' + "avc1.64001f," * 250_000 + '"\nmedia.m3u8\n')
