# pod_manifest: Early hints for ever, a few at a time.
# expected: total_timeout, protocol_error
async def act(exchange):
    while True:
        await exchange.send("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")
        await asyncio.sleep(0.01)
