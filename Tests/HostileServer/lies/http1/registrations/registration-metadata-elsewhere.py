# registration: Metadata on another port of loopback.
# expected: anything
act = document(lambda true: json.dumps(true | {"metadata_url": "http://127.0.0.1:9/", "media_verification_url": "http://10.0.0.1/"}))
