# pod_manifest: DATA for ever, as the client has room for it.
# expected: body_too_large, total_timeout, first_byte_timeout
async def act(exchange):
    await exchange.frames(exchange.head())
    while True:
        await exchange.connection.data(exchange.stream, b"#" * 65_536)
