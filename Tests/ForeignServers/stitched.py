"""A channel with ads stitched into it for each session, whose id is a piece of the playlists' and segments' paths, and without
a marker at any break: what a server-side insertion looks like from outside.

With --fault=stray one session is shown ads of its own.
"""

import uuid

import live
from aiohttp import web

# Two segments of each eight are ads: a window and a run of as many seconds hold a whole break.
PERIOD, ADS = 8, 2


def is_ad(number):
    return number % PERIOD < ADS


def is_edge(number):
    return number % PERIOD in (0, ADS)


class Server:
    def __init__(self, fault):
        self.fault = fault
        self.sessions = []
        self.regions = {}

    async def session(self, request):
        self.sessions.append(str(uuid.uuid4()))
        self.regions[self.sessions[-1]] = request.query.get("region", "")
        return web.json_response({"session": {"id": self.sessions[-1]}})

    async def master(self, request):
        if request.match_info["session"] not in self.sessions:
            return web.Response(status=404)
        return live.playlist(live.master(lambda name: f"{name}.m3u8"))

    async def media(self, request):
        session = request.match_info["session"]
        if session not in self.sessions:
            return web.Response(status=404)
        place = self.sessions.index(session)

        def address(number):
            if not is_ad(number):
                return f"/content/{number}.ts"
            ad = "stray" if self.fault == "stray" and place == 1 else f"ad-{self.regions[session]}"
            return f"/v1/segment/{session}/{ad}/{number}.ts?aws.sessionId={session}"

        return live.playlist(live.media(address, is_edge))

    def app(self):
        app = web.Application()
        app.add_routes([
            web.post("/v1/session", self.session),
            web.get("/v1/manifest/{session}/master.m3u8", self.master),
            web.get("/v1/manifest/{session}/{name}.m3u8", self.media),
        ])
        return app


live.serve(lambda fault: Server(fault).app())
