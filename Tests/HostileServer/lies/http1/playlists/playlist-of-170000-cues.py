# playlist: A cue tag before each segment.
# expected: anything
act = moving(lambda: live(repeated("#EXT-X-CUE-OUT:1\n#EXTINF:1,\na\n#EXT-X-CUE-IN\n", 170_000)))
