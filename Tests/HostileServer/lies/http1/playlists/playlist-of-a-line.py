# playlist: A line of seven megabytes.
# expected: anything
act = moving(lambda: live("#" + "a" * 7_000_000 + "\n"))
