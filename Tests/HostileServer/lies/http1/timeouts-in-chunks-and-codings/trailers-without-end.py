# pod_manifest: Trailers for ever.
# expected: protocol_error, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "0\r\n")
    await exchange.forever(b"X-A: aaaaaaaaaaaaaaaaaaa\r\n" * 1_000)
