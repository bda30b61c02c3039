# pod_manifest: A status below nought.
# expected: protocol_error
act = line("HTTP/1.1 -200 OK")
