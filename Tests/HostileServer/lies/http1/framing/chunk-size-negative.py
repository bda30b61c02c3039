# pod_manifest: A size below nought.
# expected: protocol_error
act = chunks(lambda body, size: b"-5\r\n" + body + b"\r\n" + END)
