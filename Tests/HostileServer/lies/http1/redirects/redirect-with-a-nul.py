# pod_manifest: An encoded NUL in the host.
# expected: unauthorised_host, protocol_error, other_failure
act = redirect("http://127.0.0.1%00.unauthorised.invalid/")
