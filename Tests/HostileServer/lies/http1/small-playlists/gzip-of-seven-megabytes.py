# playlist: A live playlist of 7 megabytes, packed: lawful.
# expected: anything
act = coded(lambda body: padded(7))
