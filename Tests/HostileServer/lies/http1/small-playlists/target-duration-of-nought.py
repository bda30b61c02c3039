# playlist: A target duration of nought.
# expected: anything
act = body(lambda: live("").replace("DURATION:1\n", "DURATION:0\n"))
