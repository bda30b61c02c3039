# registration: A megabyte of same beside the session.
# expected: anything
act = document(lambda true: beside(true, wide("same", 160_000)))
