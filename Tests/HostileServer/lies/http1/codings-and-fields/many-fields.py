# pod_manifest: A hundred thousand fields.
# expected: protocol_error
act = fields(*[f"X-{number}: a" for number in range(100_000)])
