# pod_manifest: The own address as user information of another.
# expected: unauthorised_host
act = redirect(lambda exchange: f"http://127.0.0.1:{exchange.port}@unauthorised.invalid/")
