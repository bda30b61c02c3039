# metadata: As many tags as fit.
# expected: anything
act = document(lambda true: tags(true, 45_000))
