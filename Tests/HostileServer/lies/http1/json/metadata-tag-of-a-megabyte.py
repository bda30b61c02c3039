# metadata: An id of three megabytes.
# expected: anything
act = document(lambda true: json.dumps(true | {"tags": {"t" * 3_000_000: {"ad": "a", "ad_break_id": "b", "type": "start"}}}))
