# pod_manifest: A head that goes on for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout
async def act(exchange):
    await exchange.frames(frame(HEADERS, 0, exchange.stream, fields()))
    await exchange.forever(frame(CONTINUATION, 0, exchange.stream, literal("x-a", "a" * 16_000)))
