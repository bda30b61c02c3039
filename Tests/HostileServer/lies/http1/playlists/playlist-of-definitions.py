# playlist: A variable in each of 100,000 lines.
# expected: anything
act = moving(lambda: live("", numbered('#EXT-X-DEFINE:NAME="v{}",VALUE="aaaaaaaaaa"\n', 100_000)))
