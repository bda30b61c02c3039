# pod_manifest: The connection is reset without an answer.
# expected: connection_reset, truncated, protocol_error
async def act(exchange):
    exchange.reset()
