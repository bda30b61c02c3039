# pod_manifest: One Continue before a true answer, which is lawful.
# expected: success
async def act(exchange):
    await exchange.send("HTTP/1.1 100 Continue\r\n\r\n")
    return await exchange.true()
