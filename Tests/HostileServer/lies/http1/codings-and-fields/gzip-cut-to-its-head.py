# pod_manifest: Ten bytes of gzip.
# expected: anything
act = coded(lambda body: gzip.compress(body)[:10])
