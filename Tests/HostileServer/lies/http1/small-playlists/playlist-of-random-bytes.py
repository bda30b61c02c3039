# playlist: Random bytes.
# expected: anything
act = body(lambda: os.urandom(100_000))
