# registration: Half a million arrays in each other.
# expected: anything
act = document(lambda true: beside(true, "[" * 250_000 + "]" * 250_000))
