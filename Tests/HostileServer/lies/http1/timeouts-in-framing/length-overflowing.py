# pod_manifest: A length past 64 bits.
# expected: protocol_error, body_too_large, total_timeout
act = length(lambda count: ["18446744073709551660"])
