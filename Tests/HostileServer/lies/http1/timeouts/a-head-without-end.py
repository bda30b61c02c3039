# pod_manifest: Fields for ever.
# expected: protocol_error, total_timeout
async def act(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\n")
    await exchange.forever("X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 1_000)
