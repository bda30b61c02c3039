# pod_manifest: A coding that there is not.
# expected: protocol_error, anything
act = coded(lambda body: body, coding="snow")
