# pod_manifest: A length in words.
# expected: protocol_error
act = length(lambda count: ["many"])
