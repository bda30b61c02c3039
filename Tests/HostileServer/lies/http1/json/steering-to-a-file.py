# steering: Come back to a file of the machine.
# expected: anything
act = document(lambda true: json.dumps(true | {"RELOAD-URI": "file:///etc/passwd"}))
