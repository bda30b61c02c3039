# pod_manifest: A private address.
# expected: unauthorised_host
act = redirect("http://10.0.0.1/")
