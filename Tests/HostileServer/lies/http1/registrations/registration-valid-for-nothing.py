# registration: A session that is over.
# expected: anything
act = document(lambda true: json.dumps(true | {"valid_for": "0s"}))
