# pod_manifest: The connection is reset where the body would begin.
# expected: connection_reset, truncated, protocol_error
async def act(exchange):
    await exchange.send(exchange.head("Content-Length: 400"))
    await asyncio.sleep(0.05)
    exchange.reset()
