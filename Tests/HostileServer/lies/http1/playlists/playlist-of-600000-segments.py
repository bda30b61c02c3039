# playlist: As many segments as a playlist may hold, anew each second.
# expected: anything
act = moving(lambda: live(repeated("#EXTINF:1,\na\n", 600_000)))
