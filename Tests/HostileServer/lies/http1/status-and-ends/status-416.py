# pod_manifest: A range that nobody asked for cannot be given.
# expected: http_416
act = line("HTTP/1.1 416 Range Not Satisfiable")
