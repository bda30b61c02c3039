# playlist: 200,000 hints of what comes.
# expected: anything
act = moving(lambda: live(numbered('#EXT-X-PRELOAD-HINT:TYPE=PART,URI="{}"\n', 150_000)))
