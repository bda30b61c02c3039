# playlist: 50,000 date ranges, anew each second.
# expected: anything
act = moving(lambda: live("", ranges(50_000)))
