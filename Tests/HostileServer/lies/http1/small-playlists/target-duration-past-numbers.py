# playlist: A target duration of a hundred digits.
# expected: anything
act = body(lambda: live("").replace("DURATION:1\n", "DURATION:" + "9" * 100 + "\n"))
