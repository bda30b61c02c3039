# pod_manifest: A version that this is not.
# expected: protocol_error
act = line("HTTP/3.0 200 OK")
