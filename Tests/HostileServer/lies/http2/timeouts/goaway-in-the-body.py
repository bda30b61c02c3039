# pod_manifest: GOAWAY in the middle of a body, and silence.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout
async def act(exchange):
    await exchange.frames(exchange.head(), exchange.data(b"#EXTM3U\n"), frame(GOAWAY, 0, 0, word(exchange.stream) + word(0)))
    await exchange.silence()
