# pod_manifest: No content, with content.
# expected: anything
async def act(exchange):
    await exchange.send("HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n#EXTM3U")
    return True
