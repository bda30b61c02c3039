# pod_manifest: A transfer coding that is no more.
# expected: anything
act = chunks(lambda body, size: body, fields=("Transfer-Encoding: identity",))
