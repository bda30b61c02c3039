# playlist: A million segments.
# expected: body_too_large
act = body(lambda: live(repeated("#EXTINF:1,\na\n", 1_000_000)))
