# registration: Poll metadata never again.
# expected: anything
act = document(lambda true: json.dumps(true | {"polling_frequency": 1e308}))
