# verification: Pings are never answered.
# expected: first_byte_timeout
async def act(exchange):
    await exchange.silence()
