# steering: Come back at once.
# expected: anything
act = document(lambda true: json.dumps(true | {"TTL": 0}))
