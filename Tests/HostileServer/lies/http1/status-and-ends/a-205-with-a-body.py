# pod_manifest: Reset content, with content.
# expected: anything
async def act(exchange):
    await exchange.send("HTTP/1.1 205 Reset Content\r\nContent-Length: 7\r\n\r\n#EXTM3U")
    return True
