# pod_manifest: Another scheme.
# expected: unauthorised_host, protocol_error, other_failure
act = redirect("gopher://127.0.0.1:70/_x")
