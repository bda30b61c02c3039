# registration: A megabyte of arrays beside the session.
# expected: anything
act = document(lambda true: beside(true, wide("arrays", 320_000)))
