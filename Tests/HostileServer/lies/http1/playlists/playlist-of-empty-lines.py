# playlist: Eight million empty lines.
# expected: anything
act = moving(lambda: live("\n" * 8_000_000))
