# pod_manifest: The status line of SHOUTcast.
# expected: protocol_error
act = line("ICY 200 OK")
