# playlist: A date range of a million attributes.
# expected: anything
act = moving(lambda: live("", '#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z"'
    + repeated(",X-A=1", 1_000_000) + "\n"))
