# pod_manifest: The connection is closed without an answer.
# expected: connection_reset, truncated, protocol_error
async def act(exchange):
    pass
