# registration: A megabyte of numbers beside the session.
# expected: anything
act = document(lambda true: beside(true, wide("numbers", 500_000)))
