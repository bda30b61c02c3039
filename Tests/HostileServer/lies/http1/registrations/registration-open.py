# registration: Arrays that never close.
# expected: anything
act = document(lambda true: "[" * 500_000)
