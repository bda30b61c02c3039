# pod_manifest: Heads of interim answers for ever.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, anything
async def act(exchange):
    await exchange.forever(frame(HEADERS, END_HEADERS, exchange.stream, fields(status="103")) * 100)
