# pod_manifest: A coding that was not offered.
# expected: protocol_error, anything
act = coded(lambda body: b"\x0b\x02" + body, coding="br")
