# pod_manifest: A script.
# expected: unauthorised_host, protocol_error, other_failure
act = redirect("javascript:alert(1)")
