# registration: Poll metadata before it was polled.
# expected: anything
act = document(lambda true: json.dumps(true | {"polling_frequency": -1e300}))
