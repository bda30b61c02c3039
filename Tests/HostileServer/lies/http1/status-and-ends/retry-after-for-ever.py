# registration: Come back in more seconds than any number holds.
# expected: http_503
async def act(exchange):
    return await exchange.whole("", "Retry-After: 99999999999999999999999", status="503 Busy")
