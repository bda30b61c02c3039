# pod_manifest: GOAWAY behind each true answer, which is lawful.
# expected: anything
async def act(exchange):
    await exchange.true()
    await exchange.frames(frame(GOAWAY, 0, 0, word(exchange.stream) + word(0)))
    return False
