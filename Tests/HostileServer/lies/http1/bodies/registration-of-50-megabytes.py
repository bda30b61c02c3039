# registration: Fifty megabytes.
# expected: body_too_large
async def act(exchange):
    start, rest = json.dumps(json.loads(exchange.body()))[:-1] + ', "more": "', '"}'
    length = len(start) + 50_000_000 + len(rest)
    # In pieces: a server that first makes the whole of it is late with the first byte.
    await exchange.send(exchange.head(f"Content-Length: {length}", status="201 Created"), start)
    for _ in range(50):
        await exchange.send(b"a" * 1_000_000)
    await exchange.send(rest)
