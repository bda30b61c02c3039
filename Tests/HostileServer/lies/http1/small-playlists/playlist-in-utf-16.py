# playlist: UTF-16.
# expected: anything
act = body(lambda: live("").encode("utf-16"))
