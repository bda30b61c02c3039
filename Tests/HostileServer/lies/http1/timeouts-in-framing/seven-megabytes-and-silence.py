# playlist: Seven of the eight megabytes that a playlist may have, and silence.
# expected: body_too_large, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Content-Length: 8000000"), b"#EXTM3U\n", b"#" * 7_000_000)
    await exchange.silence()
