# playlist: Megabytes behind the answer.
# expected: success
async def act(exchange):
    await exchange.true()
    await exchange.forever(b"\0" * 65_536)
