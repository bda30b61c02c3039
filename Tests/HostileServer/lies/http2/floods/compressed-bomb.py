# pod_manifest: One large field of the table, named thousands of times.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout
async def act(exchange):
    large = b"\x40" + string("x-a") + string("a" * 4_000)
    await exchange.frames(frame(HEADERS, 0, exchange.stream, fields() + large))
    await exchange.forever(frame(CONTINUATION, 0, exchange.stream, b"\xbe" * 16_000))
