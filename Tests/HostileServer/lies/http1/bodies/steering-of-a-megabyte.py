# steering: A megabyte.
# expected: body_too_large
act = document(lambda true: beside(true, '"' + "a" * 1_000_000 + '"'))
