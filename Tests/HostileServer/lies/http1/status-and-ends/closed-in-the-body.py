# pod_manifest: The connection is closed before the length that was announced.
# expected: connection_reset, truncated, protocol_error
async def act(exchange):
    body = exchange.body()
    await exchange.send(exchange.head(f"Content-Length: {len(body) + 100}"), body)
