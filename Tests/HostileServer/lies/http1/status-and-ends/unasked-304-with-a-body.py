# pod_manifest: A 304 with a body behind it, which would be the next answer.
# expected: http_304, connection_reset, truncated, protocol_error
async def act(exchange):
    await exchange.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n#EXTM3U")
    return True
