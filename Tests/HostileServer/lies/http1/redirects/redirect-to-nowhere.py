# pod_manifest: A name that is not authorised.
# expected: unauthorised_host
act = redirect("http://unauthorised.invalid/")
