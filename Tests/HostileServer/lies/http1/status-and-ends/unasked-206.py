# pod_manifest: A part of what was asked for whole.
# expected: anything
async def act(exchange):
    return await exchange.whole(exchange.body()[:40], "Content-Range: bytes 0-39/400", status="206 Partial Content")
