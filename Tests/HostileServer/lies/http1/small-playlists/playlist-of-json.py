# playlist: JSON where a playlist should be.
# expected: anything
act = body(lambda: '{"a": ' * 10_000)
