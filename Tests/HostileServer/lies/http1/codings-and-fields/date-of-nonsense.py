# pod_manifest: A date that is none.
# expected: success
act = fields("Date: Xyz, 99 Foo -1 99:99:99 GMT", "Expires: 0")
