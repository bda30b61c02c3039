# pod_manifest: The connection is reset in the middle of a chunk.
# expected: connection_reset, truncated, protocol_error
async def act(exchange):
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "ff\r\n#EXTM3U\n")
    await asyncio.sleep(0.05)
    exchange.reset()
