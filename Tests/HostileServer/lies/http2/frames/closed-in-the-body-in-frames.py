# pod_manifest: The connection is closed in the middle of a body.
# expected: protocol_error, connection_reset, truncated, other_failure
async def act(exchange):
    await exchange.frames(exchange.head(), exchange.data(b"#EXTM3U\n"))
    return False
