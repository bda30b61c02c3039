# pod_manifest: A length without digits.
# expected: protocol_error
act = length(lambda count: [""])
