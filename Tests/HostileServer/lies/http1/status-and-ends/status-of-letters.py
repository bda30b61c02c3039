# pod_manifest: A status that is no number.
# expected: protocol_error
act = line("HTTP/1.1 abc OK")
