# pod_manifest: An address as long as a head may be.
# expected: http_404, protocol_error, connection_reset, truncated, anything
act = redirect("/" + "a" * 60_000)
