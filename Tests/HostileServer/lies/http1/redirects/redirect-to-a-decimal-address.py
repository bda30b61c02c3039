# pod_manifest: Loopback as one number.
# expected: unauthorised_host
act = redirect("http://2130706433:9/")
