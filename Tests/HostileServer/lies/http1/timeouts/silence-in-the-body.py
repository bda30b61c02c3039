# pod_manifest: Half a body and no more.
# expected: total_timeout
async def act(exchange):
    body = exchange.body()
    await exchange.send(exchange.head(f"Content-Length: {len(body)}"), body[:50])
    await exchange.silence()
