# registration: Arrays 500 deep, a thousand times.
# expected: anything
act = document(lambda true: beside(true, "[" + ("[" * DEEP + "]" * DEEP + ",") * 900 + "1]"))
