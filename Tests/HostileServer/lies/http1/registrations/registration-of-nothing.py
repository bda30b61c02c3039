# registration: An empty body.
# expected: anything
act = document(lambda true: "")
