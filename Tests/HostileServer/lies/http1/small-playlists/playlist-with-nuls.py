# playlist: NUL within lines.
# expected: anything
act = body(lambda: live("#EXTINF:1.0,\na\0b.ts\n"))
