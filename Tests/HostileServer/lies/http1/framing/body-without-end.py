# pod_manifest: A body without a length that never ends.
# expected: body_too_large
async def act(exchange):
    await exchange.send(exchange.head())
    await exchange.forever(b"#" * 65_536)
