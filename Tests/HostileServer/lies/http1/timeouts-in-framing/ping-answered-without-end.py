# verification: The answer to a ping never ends.
# expected: body_too_large, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Transfer-Encoding: chunked"))
    await exchange.forever(b"10000\r\n" + b"G" * 65_536 + b"\r\n")
