# pod_manifest: A bomb that is packed twice.
# expected: body_too_large, anything
act = coded(lambda body: gzip.compress(bomb()), coding="gzip, gzip")
