# pod_manifest: A line of the head without a colon.
# expected: protocol_error
act = fields("this is no field")
