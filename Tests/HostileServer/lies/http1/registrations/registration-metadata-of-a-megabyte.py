# registration: An address of a megabyte.
# expected: anything
act = document(lambda true: json.dumps(true | {"metadata_url": true["metadata_url"] + "?" + "a" * 900_000}))
