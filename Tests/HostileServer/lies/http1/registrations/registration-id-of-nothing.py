# registration: An empty id.
# expected: anything
act = document(lambda true: json.dumps(true | {"stream_id": ""}))
