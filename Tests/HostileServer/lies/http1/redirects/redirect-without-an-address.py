# pod_manifest: A redirect that names no address.
# expected: http_302, protocol_error
async def act(exchange):
    return await exchange.whole("", status="302 Found")
