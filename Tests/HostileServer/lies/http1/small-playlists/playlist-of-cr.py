# playlist: Lines that end in CR.
# expected: anything
act = body(lambda: live("").replace("\n", "\r"))
