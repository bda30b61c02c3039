# pod_manifest: A trailer that is no field.
# expected: protocol_error, anything
act = chunks(lambda body, size: size + body + b"\r\n0\r\nno field\r\n\r\n")
