# pod_manifest: A port that there is not.
# expected: unauthorised_host, protocol_error, other_failure
act = redirect("http://127.0.0.1:99999/")
