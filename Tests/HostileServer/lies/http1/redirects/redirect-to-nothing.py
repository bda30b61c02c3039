# pod_manifest: An empty address.
# expected: redirect_limit, http_302, protocol_error
act = redirect("")
