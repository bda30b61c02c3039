# pod_manifest: ALTSVC for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
act = flood(lambda exchange: frame(10, 0, 0, b"\0\1a" + b"h2=\":1\""))
