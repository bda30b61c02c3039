# pod_segment: A segment for ever, which is not kept.
# expected: body_too_large, total_timeout, first_byte_timeout
async def act(exchange):
    await exchange.frames(exchange.head())
    while True:
        await exchange.connection.data(exchange.stream, b"#" * 65_536)
