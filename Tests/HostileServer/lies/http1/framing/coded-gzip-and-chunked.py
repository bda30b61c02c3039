# pod_manifest: A transfer coding that was not offered.
# expected: protocol_error, anything
act = chunks(lambda body, size: size + body + b"\r\n" + END, fields=("Transfer-Encoding: gzip, chunked",))
