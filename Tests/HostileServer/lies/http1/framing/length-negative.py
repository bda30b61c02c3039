# pod_manifest: A length below nought.
# expected: protocol_error
act = length(lambda count: ["-5"])
