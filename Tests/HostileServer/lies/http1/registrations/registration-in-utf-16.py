# registration: UTF-16.
# expected: anything
act = document(lambda true: json.dumps(true).encode("utf-16"))
