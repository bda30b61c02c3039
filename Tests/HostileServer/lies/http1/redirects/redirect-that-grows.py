# pod_manifest: An address that is longer each time.
# expected: redirect_limit, protocol_error
act = redirect(lambda exchange: f"{exchange.path.split('?')[0]}?{'a' * (2 * len(exchange.path))}")
