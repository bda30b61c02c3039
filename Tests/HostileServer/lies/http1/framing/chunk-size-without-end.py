# pod_manifest: A size of a million noughts.
# expected: protocol_error
act = chunks(lambda body, size: b"0" * 1_000_000 + size + body + END)
