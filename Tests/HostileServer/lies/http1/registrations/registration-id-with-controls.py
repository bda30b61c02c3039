# registration: NUL and escapes in an id.
# expected: anything
act = document(lambda true: json.dumps(true | {"stream_id": true["stream_id"] + "\0\x1b[2J"}))
