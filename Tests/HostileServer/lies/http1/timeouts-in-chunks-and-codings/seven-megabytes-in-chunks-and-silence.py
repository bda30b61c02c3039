# playlist: The same in chunks.
# expected: body_too_large, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Transfer-Encoding: chunked"))
    for _ in range(112):
        await exchange.send(b"10000\r\n" + b"#" * 65_536 + b"\r\n")
    await exchange.silence()
