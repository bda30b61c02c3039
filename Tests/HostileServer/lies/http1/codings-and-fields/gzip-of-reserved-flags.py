# pod_manifest: Flags that are reserved.
# expected: protocol_error
act = coded(lambda body: b"\x1f\x8b\x08\xe0" + gzip.compress(body)[4:])
