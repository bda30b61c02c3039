# registration: An object and more.
# expected: anything
act = document(lambda true: json.dumps(true) + "}}}")
