# playlist: A key before each segment.
# expected: anything
act = moving(lambda: live(repeated('#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\na\n', 200_000)))
