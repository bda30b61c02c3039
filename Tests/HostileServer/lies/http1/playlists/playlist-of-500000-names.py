# playlist: A date range of as many names of attributes as fit.
# expected: anything
act = moving(lambda: live("", '#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z"'
    + numbered(",X-{}=1", 500_000) + "\n"))
