# playlist: The connection is reset some milliseconds behind a true answer.
# expected: success
async def act(exchange):
    await exchange.true()
    await asyncio.sleep(0.02)
    exchange.reset()
