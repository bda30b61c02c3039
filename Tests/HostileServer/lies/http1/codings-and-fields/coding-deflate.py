# pod_manifest: Deflate, which was not offered.
# expected: anything
act = coded(lambda body: zlib.compress(body), coding="deflate")
