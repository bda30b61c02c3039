# registration: A registration that never ends.
# expected: body_too_large, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "1\r\n[\r\n")
    await exchange.forever(b"10000\r\n" + b"[],[]," * 10_922 + b"[]  " + b"\r\n")
