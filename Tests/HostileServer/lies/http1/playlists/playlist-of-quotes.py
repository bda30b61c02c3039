# playlist: Quotes that never close.
# expected: anything
act = moving(lambda: live('#EXT-X-MAP:URI="' + '",A="' * 1_000_000 + "\n"))
