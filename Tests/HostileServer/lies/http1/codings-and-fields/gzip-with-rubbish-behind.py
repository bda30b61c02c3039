# pod_manifest: Bytes behind the end.
# expected: anything
act = coded(lambda body: gzip.compress(body) + b"\0\1" * 50)
