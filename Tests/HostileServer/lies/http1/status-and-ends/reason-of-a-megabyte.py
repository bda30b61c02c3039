# pod_manifest: A reason phrase of a megabyte.
# expected: protocol_error
act = line("HTTP/1.1 200 " + "O" * 1_000_000)
