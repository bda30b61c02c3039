# pod_manifest: A status line without a status.
# expected: protocol_error
act = line("HTTP/1.1")
