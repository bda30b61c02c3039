# pod_manifest and segments: A pod as long as was asked for, in as many segments as fit, all of which are loaded.
# expected: anything
@functools.cache
def pod(milliseconds):
    return vod(numbered(f"#EXTINF:{milliseconds / 9_000_000:.6f},\ns{{}}\n", 9_000)).encode()


async def act(exchange):
    asked = re.search(r"[?&]pd=(\d+)", exchange.path)
    return await exchange.whole(pod(int(asked[1]) if asked else 1_000))
