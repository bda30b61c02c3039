# pod_manifest: An age that no number holds.
# expected: success
act = fields("Age: 99999999999999999999999")
