# pod_manifest: A file of the machine.
# expected: unauthorised_host, protocol_error, other_failure
act = redirect("file:///etc/passwd")
