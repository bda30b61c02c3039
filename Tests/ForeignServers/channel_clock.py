"""A channel whose clock is not this machine's, with breaks of its own and pods for them.

Each segment is published the moment it ends by the channel's clock. --fault is how many seconds that clock is ahead, such as
30 or -30. For each pod it prints the break and when it was asked for, in seconds from the break's start by the channel's clock.
"""

import time

import live
from aiohttp import web

EVERY = 8
SECONDS = 4
LEAD = 6


class Server:
    def __init__(self, fault):
        self.ahead = float(fault or 0)
        self.began = self.now()

    def now(self):
        return time.time() + self.ahead

    async def media(self, request):
        lines = live.media(lambda number: f"{number}.ts", earlier=-self.ahead)
        edge = self.now()
        # None begins before all viewers are there.
        first = int((self.began + LEAD) / EVERY) + 1
        ranges = [
            f'#EXT-X-DATERANGE:ID="break-{number}",CLASS="com.example.ads",START-DATE="{live.iso(number * EVERY)}",DURATION={SECONDS}'
            for number in range(first, int((edge + LEAD) / EVERY) + 1)
            if edge < number * EVERY + SECONDS + 16
        ]
        place = next(index for index, line in enumerate(lines) if line.startswith("#EXT-X-PROGRAM-DATE-TIME"))
        return live.playlist(lines[:place] + ranges + lines[place:])

    async def pod(self, request):
        name = request.match_info["name"]
        print(f"asked {name} {self.now() - int(name.rpartition('-')[2]) * EVERY:.3f}", flush=True)
        lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:2", "#EXT-X-PLAYLIST-TYPE:VOD"]
        for number in range(SECONDS // 2):
            lines += ["#EXTINF:2.000,", f"/ads/{name}/{number}.ts"]
        return live.playlist(lines + ["#EXT-X-ENDLIST"])

    def app(self):
        app = web.Application()
        app.add_routes([web.get("/live.m3u8", self.media), web.get("/pods/{name}.m3u8", self.pod)])
        return app


live.serve(lambda fault: Server(fault).app())
