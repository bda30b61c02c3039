# pod_manifest: One field for ever.
# expected: protocol_error, total_timeout
async def act(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nX-A: ")
    await exchange.forever("a" * 65_536)
