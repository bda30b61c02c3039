# pod_manifest: A status of five digits.
# expected: protocol_error
act = line("HTTP/1.1 20000 OK")
