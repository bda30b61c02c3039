# registration: Half of a pair of surrogates.
# expected: anything
act = document(lambda true: json.dumps(true).replace(true["stream_id"], true["stream_id"] + "\\ud800"))
