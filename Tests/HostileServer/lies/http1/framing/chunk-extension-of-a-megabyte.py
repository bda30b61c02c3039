# pod_manifest: An extension of a megabyte.
# expected: anything
act = chunks(lambda body, size: size[:-2] + b";a=" + b"a" * 1_000_000 + b"\r\n" + body + b"\r\n" + END)
