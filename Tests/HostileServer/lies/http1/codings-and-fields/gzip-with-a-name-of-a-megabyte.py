# pod_manifest: A file name of a megabyte in the head.
# expected: anything
act = coded(lambda body: b"\x1f\x8b\x08\x08" + b"\0" * 6 + b"n" * 1_000_000 + b"\0" + gzip.compress(body)[10:])
