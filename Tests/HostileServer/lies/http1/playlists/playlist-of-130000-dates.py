# playlist: A date before each segment.
# expected: anything
act = moving(lambda: live(repeated("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXTINF:1,\na\n", 130_000)))
