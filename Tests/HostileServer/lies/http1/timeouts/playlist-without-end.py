# playlist: A live playlist that never ends.
# expected: body_too_large, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "8\r\n#EXTM3U\n\r\n")
    await exchange.forever(b"10000\r\n" + b"#EXTINF:1,\na.ts\n" * 4_096 + b"\r\n")
