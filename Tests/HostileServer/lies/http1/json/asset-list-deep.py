# asset_list: Arrays 500 deep, many times.
# expected: anything
act = document(lambda true: beside(true, "[" + ("[" * DEEP + "]" * DEEP + ",") * 900 + "1]"))
