# pod_manifest: A status line and no more.
# expected: total_timeout
async def act(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\n")
    await exchange.silence()
