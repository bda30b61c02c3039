# metadata: Five megabytes.
# expected: body_too_large
act = document(lambda true: beside(true, '"' + "a" * 5_000_000 + '"'))
