# metadata: 300,000 members.
# expected: anything
act = document(lambda true: beside(true, wide("members", 300_000)))
