# registration: A session of any length.
# expected: anything
act = document(lambda true: json.dumps(true | {"valid_for": "9" * 300 + "h"}))
