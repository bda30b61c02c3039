# registration: A POST is never answered.
# expected: first_byte_timeout
async def act(exchange):
    await exchange.silence()
