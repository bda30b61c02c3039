# multivariant: As many renditions as fit.
# expected: anything
act = body(lambda: START + numbered('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n{0}",URI="{0}.m3u8"\n', 50_000)
    + '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nmedia.m3u8\n')
