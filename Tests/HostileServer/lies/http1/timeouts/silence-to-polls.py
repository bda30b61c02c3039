# playlist: Polls of the live playlist are never answered.
# expected: first_byte_timeout
async def act(exchange):
    await exchange.silence()
