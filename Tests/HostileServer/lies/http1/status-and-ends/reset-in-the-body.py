# pod_manifest: The connection is reset in the middle of the body.
# expected: connection_reset, truncated, protocol_error
async def act(exchange):
    await exchange.send(exchange.head("Content-Length: 400"), exchange.body()[:50])
    await asyncio.sleep(0.05)
    exchange.reset()
