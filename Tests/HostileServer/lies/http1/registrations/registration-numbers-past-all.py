# registration: Numbers of any length.
# expected: anything
act = document(lambda true: beside(true, "[" + ",".join(["9" * 10_000, "1e999999999", "-1e-999999999", "0." + "0" * 10_000 + "1"]) + "]"))
