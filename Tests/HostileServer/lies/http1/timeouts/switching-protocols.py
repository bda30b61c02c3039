# pod_manifest: Another protocol that nobody asked for.
# expected: protocol_error, total_timeout
async def act(exchange):
    await exchange.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello")
    await exchange.silence()
