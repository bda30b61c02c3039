# pod_segment: A segment of ten megabytes, which is lawful and not kept.
# expected: success
async def act(exchange):
    return await exchange.whole(b"G" * 10_000_000)
