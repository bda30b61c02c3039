# pod_manifest: Status 999.
# expected: http_999
act = line("HTTP/1.1 999 Nine")
