# steering: Come back after all time.
# expected: anything
act = document(lambda true: json.dumps(true | {"TTL": 1e300}))
