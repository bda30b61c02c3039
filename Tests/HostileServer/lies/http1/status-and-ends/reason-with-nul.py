# pod_manifest: A reason phrase with a NUL in it.
# expected: protocol_error, anything
act = line("HTTP/1.1 200 O\0K")
