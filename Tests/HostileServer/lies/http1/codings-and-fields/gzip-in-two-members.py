# pod_manifest: Two members, which is lawful.
# expected: anything
act = coded(lambda body: gzip.compress(body[:50]) + gzip.compress(body[50:]))
