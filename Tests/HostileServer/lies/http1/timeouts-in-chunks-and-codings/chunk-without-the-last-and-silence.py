# pod_manifest: Silence where the last chunk should be.
# expected: total_timeout
act = chunks(lambda body, size: size + body + b"\r\n", silent=True)
