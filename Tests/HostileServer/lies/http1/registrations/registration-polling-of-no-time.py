# registration: Poll metadata a billion times a second.
# expected: anything
act = document(lambda true: json.dumps(true | {"polling_frequency": 1e-9}))
