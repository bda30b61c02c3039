# registration: Poll metadata every nought seconds.
# expected: anything
act = document(lambda true: json.dumps(true | {"polling_frequency": 0}))
