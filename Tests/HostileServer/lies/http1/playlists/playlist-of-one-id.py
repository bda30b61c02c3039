# playlist: One id of 50,000 date ranges that contradict each other.
# expected: anything
act = moving(lambda: live("", numbered('#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z",X-A="{}"\n', 80_000)))
