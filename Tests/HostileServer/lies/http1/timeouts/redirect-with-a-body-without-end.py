# pod_manifest: A redirect whose body never ends.
# expected: total_timeout, body_too_large, unauthorised_host, redirect_limit
async def act(exchange):
    await exchange.send(exchange.head(f"Location: {exchange.path}", "Content-Length: 10000000000", status="302 Found"))
    await exchange.forever(b"x" * 65_536)
