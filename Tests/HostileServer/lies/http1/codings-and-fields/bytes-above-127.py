# pod_manifest: Bytes above 127 in a value.
# expected: success
act = fields("X-A: \xff\xfe\x80")
