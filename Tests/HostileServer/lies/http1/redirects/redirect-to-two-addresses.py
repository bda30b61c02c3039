# pod_manifest: Two addresses in two fields.
# expected: anything
async def act(exchange):
    return await exchange.whole("", "Location: http://unauthorised.invalid/", f"Location: {exchange.path}",
                                status="302 Found")
