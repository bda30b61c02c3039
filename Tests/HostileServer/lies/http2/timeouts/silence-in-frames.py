# pod_manifest: Nothing ever comes on the stream.
# expected: total_timeout, first_byte_timeout
async def act(exchange):
    await exchange.silence()
