# pod_manifest: A length of ten gigabytes, and zeros for ever.
# expected: body_too_large
async def act(exchange):
    await exchange.send(exchange.head("Content-Length: 10000000000"))
    await exchange.forever(b"\0" * 65_536)
