# registration: Metadata in a file of the machine.
# expected: anything
act = document(lambda true: json.dumps(true | {"metadata_url": "file:///etc/passwd"}))
