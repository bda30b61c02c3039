# pod_manifest: A minor version that there is not.
# expected: protocol_error
act = line("HTTP/1.7 200 OK")
