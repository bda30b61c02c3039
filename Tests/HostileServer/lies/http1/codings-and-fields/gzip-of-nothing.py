# pod_manifest: No bytes at all that are called gzip.
# expected: anything
act = coded(lambda body: b"")
