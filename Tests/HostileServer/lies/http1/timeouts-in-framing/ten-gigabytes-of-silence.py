# pod_manifest: A length of ten gigabytes, and silence.
# expected: body_too_large, total_timeout
async def act(exchange):
    await exchange.send(exchange.head("Content-Length: 10000000000"), "#EXTM3U\n")
    await exchange.silence()
