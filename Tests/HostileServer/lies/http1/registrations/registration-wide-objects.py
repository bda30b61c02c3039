# registration: A megabyte of objects beside the session.
# expected: anything
act = document(lambda true: beside(true, wide("objects", 320_000)))
