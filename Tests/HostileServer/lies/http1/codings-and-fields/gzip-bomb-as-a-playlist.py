# playlist: The same as a live playlist.
# expected: body_too_large
act = coded(lambda body: bomb())
