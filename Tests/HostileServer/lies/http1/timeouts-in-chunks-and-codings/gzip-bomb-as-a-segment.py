# pod_segment: The same as a segment, which is not kept.
# expected: body_too_large, protocol_error, total_timeout, anything
act = coded(lambda body: bomb(b"G"))
