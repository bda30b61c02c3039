# steering: Come back before now.
# expected: anything
act = document(lambda true: json.dumps(true | {"TTL": -5}))
