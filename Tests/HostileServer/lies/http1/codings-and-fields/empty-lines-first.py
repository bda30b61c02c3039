# pod_manifest: A hundred thousand empty lines before the status line.
# expected: protocol_error
async def act(exchange):
    await exchange.send("\r\n" * 100_000)
    return await exchange.true()
