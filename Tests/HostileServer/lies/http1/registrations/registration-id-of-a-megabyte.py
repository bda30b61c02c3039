# registration: An id of a megabyte.
# expected: anything
act = document(lambda true: json.dumps(true | {"stream_id": true["stream_id"] + "a" * 1_000_000}))
