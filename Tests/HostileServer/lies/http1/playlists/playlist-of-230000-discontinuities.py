# playlist: A discontinuity before each segment.
# expected: anything
act = moving(lambda: live(repeated("#EXT-X-DISCONTINUITY\n#EXTINF:1,\na\n", 230_000)))
