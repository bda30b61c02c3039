# pod_manifest: Another port of loopback.
# expected: unauthorised_host
act = redirect("http://127.0.0.1:9/")
