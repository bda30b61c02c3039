# playlist: A map before each segment.
# expected: anything
act = moving(lambda: live(numbered('#EXT-X-MAP:URI="m{}"\n#EXTINF:1,\na\n', 150_000)))
