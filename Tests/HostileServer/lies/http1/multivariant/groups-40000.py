# multivariant: Each variant with a group of its own.
# expected: anything
act = body(lambda: START + numbered('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a{0}",NAME="n",URI="m.m3u8"\n'
    '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a{0}"\nmedia.m3u8\n', 25_000))
