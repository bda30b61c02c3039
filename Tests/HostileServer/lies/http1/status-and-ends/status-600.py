# pod_manifest: Status 600.
# expected: http_600
act = line("HTTP/1.1 600 Six")
