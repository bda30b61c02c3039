# pod_manifest: Keep the connection, and close it.
# expected: success
act = fields("Connection: keep-alive, close")
