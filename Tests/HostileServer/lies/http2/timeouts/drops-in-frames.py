# pod_manifest: One byte of the body every tenth of a second.
# expected: total_timeout, first_byte_timeout
async def act(exchange):
    await exchange.frames(exchange.head())
    for byte in exchange.body():
        await exchange.frames(exchange.data(bytes([byte])))
        await asyncio.sleep(0.1)
