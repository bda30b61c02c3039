# pod_manifest: A length of a hundred digits.
# expected: protocol_error, body_too_large, total_timeout
act = length(lambda count: ["9" * 100])
