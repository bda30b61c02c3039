# pod_manifest: A bomb whose pieces come slowly.
# expected: body_too_large, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Content-Encoding: gzip", f"Content-Length: {len(bomb())}"))
    await exchange.drip(bomb(), 0.1, size=20)
