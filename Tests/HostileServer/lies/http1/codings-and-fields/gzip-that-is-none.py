# pod_manifest: Plain text that is called gzip.
# expected: protocol_error
act = coded(lambda body: body)
