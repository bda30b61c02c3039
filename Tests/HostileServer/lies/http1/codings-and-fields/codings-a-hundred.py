# pod_manifest: A hundred codings in a row.
# expected: protocol_error
act = coded(lambda body: gzip.compress(body), coding=", ".join(["gzip"] * 100))
