# pod_manifest: DATA behind the end of the stream.
# expected: anything
async def act(exchange):
    await exchange.true()
    await exchange.frames(*[exchange.data(b"x" * 100)] * 100)
