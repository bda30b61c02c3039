# registration: Line ends in an id.
# expected: anything
act = document(lambda true: json.dumps(true | {"stream_id": true["stream_id"] + "\r\nX-A: b\r\n\r\n"}))
