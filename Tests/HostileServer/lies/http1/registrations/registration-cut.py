# registration: Half of an object.
# expected: anything
act = document(lambda true: json.dumps(true)[:80])
