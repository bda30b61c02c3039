# pod_manifest: Trailers, and trailers behind them.
# expected: anything
async def act(exchange):
    await exchange.frames(exchange.head(), exchange.data(exchange.body()))
    trailer = frame(HEADERS, END_HEADERS | END_STREAM, exchange.stream, literal("x-a", "b"))
    await exchange.frames(trailer, trailer, trailer)
