# pod_manifest: The connection never says a word.
# expected: total_timeout, first_byte_timeout, protocol_error, connection_reset, truncated, other_failure
async def act(exchange):
    await exchange.silence()


act.greets_itself = True
