# playlist: The connection is closed behind a true answer that promised to keep it.
# expected: success
async def act(exchange):
    await exchange.true()
