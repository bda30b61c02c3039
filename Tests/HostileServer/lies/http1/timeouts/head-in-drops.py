# pod_manifest: One byte of the head every tenth of a second.
# expected: total_timeout
async def act(exchange):
    await exchange.drip(exchange.head("Content-Length: 4"), 0.1)
