# pod_manifest: Nothing ever comes.
# expected: first_byte_timeout
async def act(exchange):
    await exchange.silence()
