# pod_manifest: A chunk for each byte, which is lawful.
# expected: success
act = chunks(lambda body, size: b"".join(b"1\r\n%c\r\n" % byte for byte in body) + END)
