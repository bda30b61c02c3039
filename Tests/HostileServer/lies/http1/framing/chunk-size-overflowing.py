# pod_manifest: A size past 64 bits.
# expected: protocol_error
act = chunks(lambda body, size: b"fffffffffffffffff\r\n" + body)
