# pod_manifest: An address of a megabyte.
# expected: protocol_error
act = redirect("/" + "a" * 1_000_000)
