# pod_manifest: One byte of the body every tenth of a second.
# expected: total_timeout
async def act(exchange):
    body = exchange.body()
    await exchange.send(exchange.head(f"Content-Length: {len(body)}"))
    await exchange.drip(body, 0.1)
