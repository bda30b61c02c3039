# registration: An id that is an object.
# expected: anything
act = document(lambda true: json.dumps(true | {"stream_id": {}}))
