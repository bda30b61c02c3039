# playlist: A megabyte of NUL.
# expected: anything
act = body(lambda: b"\0" * 1_000_000)
