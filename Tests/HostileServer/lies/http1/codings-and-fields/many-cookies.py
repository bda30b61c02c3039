# pod_manifest: As many cookies as a head may hold.
# expected: success
act = fields(*[f"Set-Cookie: c{n}={n}" for n in range(2_500)])
