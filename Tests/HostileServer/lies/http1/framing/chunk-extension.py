# pod_manifest: A short extension, which is lawful.
# expected: success
act = chunks(lambda body, size: size[:-2] + b";a=b\r\n" + body + b"\r\n" + END)
