# pod_manifest: The length is another body's.
# expected: protocol_error
act = coded(lambda body: gzip.compress(body)[:-4] + b"\1\2\3\4")
