# pod_manifest: A backslash where a slash should be.
# expected: unauthorised_host, protocol_error, other_failure, http_404
act = redirect(lambda exchange: f"http://unauthorised.invalid\\@127.0.0.1:{exchange.port}/")
