# registration: Arrays in arrays, 500 deep.
# expected: anything
act = document(lambda true: beside(true, "[" * DEEP + "]" * DEEP))
