# pod_manifest: The connection is closed without an answer.
# expected: protocol_error, connection_reset, truncated, other_failure
async def act(exchange):
    return False
