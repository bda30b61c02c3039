# pod_manifest: Packed twice, and said so.
# expected: anything
act = coded(lambda body: gzip.compress(gzip.compress(body)), coding="gzip, gzip")
