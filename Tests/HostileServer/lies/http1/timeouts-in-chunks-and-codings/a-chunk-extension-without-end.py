# pod_manifest: An extension for ever.
# expected: protocol_error, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "5;a=")
    await exchange.forever(b"a" * 65_536)
