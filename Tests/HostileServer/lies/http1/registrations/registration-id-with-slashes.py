# registration: A path in an id.
# expected: anything
act = document(lambda true: json.dumps(true | {"stream_id": "../../../" + true["stream_id"]}))
