# registration: A session of nonsense.
# expected: anything
act = document(lambda true: json.dumps(true | {"valid_for": "-h-m-s", "valid_until": "yesterday"}))
