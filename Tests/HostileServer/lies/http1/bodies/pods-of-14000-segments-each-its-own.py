# pod_manifest: Another pod of as many segments as fit for each viewer.
# expected: anything
TAIL = (numbered("#EXTINF:1,\ns{}\n", 14_000) + "#EXT-X-ENDLIST\n").encode()


async def act(exchange):
    first = vod(f"#EXTINF:1,\n{os.urandom(8).hex()}\n").replace("#EXT-X-ENDLIST\n", "").encode()
    return await exchange.whole(first + TAIL)
