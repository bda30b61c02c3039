# playlist: A target duration below nought.
# expected: anything
act = body(lambda: live("").replace("DURATION:1\n", "DURATION:-1\n"))
