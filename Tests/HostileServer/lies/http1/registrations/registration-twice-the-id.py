# registration: Two ids under one name.
# expected: anything
act = document(lambda true: json.dumps(true)[:-1] + ', "stream_id": "other"}')
