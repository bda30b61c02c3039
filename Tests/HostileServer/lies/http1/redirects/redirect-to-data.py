# pod_manifest: An address that is the answer.
# expected: unauthorised_host, protocol_error, other_failure
act = redirect("data:text/plain,EXTM3U")
