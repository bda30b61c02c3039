# pod_manifest: Status 000.
# expected: protocol_error, http_other
act = line("HTTP/1.1 000 None")
