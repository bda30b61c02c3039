# pod_manifest: A head and no body.
# expected: total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Content-Length: 400"))
    await exchange.silence()
