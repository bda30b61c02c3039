"""One channel on two CDNs: the multivariant playlist is redirected to either in turn, their hosts differ, and so do their
signatures and headers; each keeps what it was asked for a second. Each names its point of presence in its own network's way. Of each answer
of a CDN it prints which CDN it was, and the traceparent that the request carried.
"""

import itertools

import live
from aiohttp import web


class Server:
    def __init__(self):
        self.turn = itertools.count()

    async def entry(self, request):
        host = ("127.0.0.1", "localhost")[next(self.turn) % 2]
        port = request.host.rpartition(":")[2]
        cdn = "a" if host == "127.0.0.1" else "b"
        return web.Response(status=302, headers={"Location": f"http://{host}:{port}/{cdn}/master.m3u8?{live.signature()}"})

    def tell(self, request, answer):
        cdn = request.match_info["cdn"]
        print(cdn, request.headers.get("traceparent", "-"), flush=True)
        answer.headers["X-Cache"] = "TCP_HIT from " + cdn
        if cdn == "a":
            answer.headers["X-Amz-Cf-Pop"] = "FRA56-P3"
        else:
            answer.headers["X-Served-By"] = "cache-lga21984-LGA, cache-ams2100-AMS"
        return answer

    async def master(self, request):
        return self.tell(request, live.playlist(live.master(lambda name: f"{name}/media.m3u8?{live.signature()}")))

    async def media(self, request):
        return self.tell(request, live.playlist(live.media(lambda number: f"{number}.ts")))

    def app(self):
        app = web.Application()
        app.add_routes([
            web.get("/master.m3u8", self.entry),
            web.get("/{cdn}/master.m3u8", self.master),
            web.get("/{cdn}/{name}/media.m3u8", self.media),
        ])
        return app


live.serve(lambda _: Server().app())
