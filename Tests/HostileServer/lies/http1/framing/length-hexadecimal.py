# pod_manifest: A length in hexadecimal.
# expected: anything
act = length(lambda count: [f"0x{count:x}"])
