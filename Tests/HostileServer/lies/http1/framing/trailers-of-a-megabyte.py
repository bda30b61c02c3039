# pod_manifest: Trailers of a megabyte.
# expected: protocol_error
act = chunks(lambda body, size: size + body + b"\r\n0\r\n" + b"X-A: aaaaaaaa\r\n" * 70_000 + b"\r\n")
