# pod_manifest: Chunks for ever.
# expected: body_too_large
async def act(exchange):
    await exchange.send(exchange.head("Transfer-Encoding: chunked"))
    await exchange.forever(b"10000\r\n" + b"#" * 65_536 + b"\r\n")
