# playlist: A byte order mark.
# expected: anything
act = body(lambda: b"\xef\xbb\xbf" + live("").encode())
