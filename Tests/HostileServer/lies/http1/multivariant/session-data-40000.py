# multivariant: Session data for ever.
# expected: anything
act = body(lambda: START + numbered('#EXT-X-SESSION-DATA:DATA-ID="d{}",VALUE="v"\n', 80_000)
    + "#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8\n")
