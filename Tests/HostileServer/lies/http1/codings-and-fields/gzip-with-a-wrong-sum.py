# pod_manifest: The checksum is another body's.
# expected: protocol_error
act = coded(lambda body: gzip.compress(body)[:-8] + b"\1\2\3\4" + gzip.compress(body)[-4:])
