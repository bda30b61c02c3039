# pod_manifest: A pod of 15 megabytes, packed.
# expected: body_too_large
act = coded(lambda body: padded(15))
