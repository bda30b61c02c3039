# pod_manifest: The last bytes are missing.
# expected: anything
act = coded(lambda body: gzip.compress(body)[:-12])
