# pod_manifest: A transfer coding that there is not.
# expected: protocol_error, anything
act = chunks(lambda body, size: body, fields=("Transfer-Encoding: zip",))
