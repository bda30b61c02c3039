# playlist: Seven megabytes of a playlist, and silence.
# expected: body_too_large, total_timeout, first_byte_timeout, protocol_error, connection_reset, truncated, other_failure
# Polls of all viewers count for it, and those of another flood may be on the connection that it breaks.
async def act(exchange):
    await exchange.frames(exchange.head())
    for _ in range(107):
        await exchange.connection.data(exchange.stream, b"#" * 65_536)
    await exchange.silence()
