# pod_manifest: Early hints of a megabyte.
# expected: protocol_error
async def act(exchange):
    await exchange.send("HTTP/1.1 103 Early Hints\r\nLink: " + "a" * 1_000_000 + "\r\n\r\n")
    return await exchange.true()
