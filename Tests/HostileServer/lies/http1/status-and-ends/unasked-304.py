# pod_manifest: Not modified, without a condition in the request.
# expected: http_304
async def act(exchange):
    await exchange.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 400\r\n\r\n")
    return True
