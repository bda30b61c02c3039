# playlist: An address of seven megabytes.
# expected: anything
act = moving(lambda: live("#EXTINF:1,\n" + "a" * 7_000_000 + "\n"))
