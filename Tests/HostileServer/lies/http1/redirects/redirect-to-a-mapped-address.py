# pod_manifest: Loopback as an address of IPv6.
# expected: unauthorised_host
act = redirect("http://[::ffff:127.0.0.1]:9/")
