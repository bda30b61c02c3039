# pod_manifest: The same address again.
# expected: redirect_limit
act = redirect(lambda exchange: exchange.path)
