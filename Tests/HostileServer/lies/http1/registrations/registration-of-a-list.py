# registration: An array.
# expected: anything
act = document(lambda true: "[]")
