# pod_manifest: The metadata of a cloud's machine.
# expected: unauthorised_host
act = redirect("http://169.254.169.254/latest/meta-data/")
