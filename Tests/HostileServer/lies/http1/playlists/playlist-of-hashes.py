# playlist: Four million comments of one byte.
# expected: anything
act = moving(lambda: live("#\n" * 4_000_000))
