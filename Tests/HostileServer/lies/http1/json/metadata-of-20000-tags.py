# metadata: 20,000 tags.
# expected: anything
act = document(lambda true: tags(true, 20_000))
