# playlist: A title of seven megabytes.
# expected: anything
act = moving(lambda: live("#EXTINF:1," + "a" * 7_000_000 + "\na\n"))
