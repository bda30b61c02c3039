# registration: A megabyte of escapes.
# expected: anything
act = document(lambda true: beside(true, '"' + "\\u0000" * 160_000 + '"'))
