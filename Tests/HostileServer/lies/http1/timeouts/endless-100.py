# pod_manifest: Continue, and again, for ever.
# expected: total_timeout, protocol_error
async def act(exchange):
    await exchange.forever("HTTP/1.1 100 Continue\r\n\r\n" * 1_000)
