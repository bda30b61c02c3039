# registration: A megabyte of members beside the session.
# expected: anything
act = document(lambda true: beside(true, wide("members", 80_000)))
