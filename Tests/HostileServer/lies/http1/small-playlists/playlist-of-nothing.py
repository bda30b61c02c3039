# playlist: An empty body.
# expected: anything
act = body(lambda: "")
