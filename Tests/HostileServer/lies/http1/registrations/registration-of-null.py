# registration: null.
# expected: anything
act = document(lambda true: "null")
