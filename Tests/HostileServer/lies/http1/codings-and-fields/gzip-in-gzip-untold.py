# pod_manifest: Packed twice, and said once.
# expected: anything
act = coded(lambda body: gzip.compress(gzip.compress(body)))
