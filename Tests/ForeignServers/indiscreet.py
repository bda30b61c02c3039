"""A channel and an ad server in the shape of Google's pod serving that repeat every secret they are told, and make more.

What a request carries (a key in the path, in the query, in a header, in Basic credentials) comes back in playlists, in headers and in
error pages; sessions and tokens stand in paths; one pod in three is a page of words, one session in two gets the pod of another, and
the metadata is never there. Prints the ids of its sessions, one a line.
"""

import uuid

import live
from aiohttp import web

METADATA_TOKEN = "9tQx7Lm2Vr4Zs8Kp1Ny6Wd3"
PLAYLIST_TOKEN = "Hx4Kc9Rt2Wq7Bn5Vz8Md1Js6"
WORD = "PEACHTREE-WORD-4471"
COOKIE = "COOKIE-CRUMB-9921"
BASIC = "operator:BASIC-PASS-3317"


class Server:
    def __init__(self):
        self.sessions = {}

    def echo(self, request):
        return f"{request.headers.get('X-Api-Key', '')} {request.query.get('channel', '')} {request.path}"

    def told(self, answer, request):
        """Repeats in headers what it was told."""
        answer.headers["Via"] = f"1.1 edge {request.headers.get('X-Api-Key', '')}"
        answer.headers["X-Cache"] = f"MISS {request.headers.get('Authorization', '')}"
        answer.headers["X-Served-By"] = f"{request.headers.get('X-Api-Key', '')}/{request.query.get('channel', '')}"
        answer.headers["Set-Cookie"] = f"visitor-session={COOKIE}; Path=/"
        return answer

    async def master(self, request):
        vault = request.match_info["vault"]
        channel, session = request.query.get("channel", ""), str(uuid.uuid4())
        print(session, flush=True)
        return self.told(live.playlist(live.master(
            lambda name: f"/{vault}/{PLAYLIST_TOKEN}/{name}.m3u8?channel={channel}&aws.sessionId={session}"
        )), request)

    async def media(self, request):
        vault, key = request.match_info["vault"], request.headers.get("X-Api-Key", "")
        channel = request.query.get("channel", "")
        lines = live.media(lambda number: f"http://{BASIC}@{request.host}/{vault}/{number}.ts?k={key}")
        # A value that is not allowed is quoted by whoever finds it.
        lines.insert(4, f'#EXT-X-DATERANGE:ID="{key}",CLASS="{channel}",START-DATE="no date of {vault}",X-TOKEN={key}')
        lines.insert(5, f"#EXT-X-BITRATE:{channel}/{vault}/{key}")
        return self.told(live.playlist(lines), request)

    async def register(self, request):
        session = f"{uuid.uuid4()}:TUL"
        self.sessions[session] = len(self.sessions)
        print(session, flush=True)
        base = f"{request.scheme}://{request.host}"
        key = request.headers.get("X-Api-Key", "")
        return self.told(web.json_response({
            "stream_id": session,
            "valid_for": "8h0m0s",
            "media_verification_url": f"{base}/verify/{METADATA_TOKEN}/",
            "metadata_url": f"{base}/metadata/{METADATA_TOKEN}/{key}",
            "polling_frequency": 1,
        }, status=201), request)

    async def pod(self, request):
        session = request.query.get("stream_id", "")
        number = self.sessions.get(session)
        if number is None:
            return self.told(web.Response(status=404, text=self.echo(request)), request)
        if number % 3 == 2:
            text = f"{WORD} {self.echo(request)} token={METADATA_TOKEN}\n"
            return self.told(web.Response(text=text, content_type="application/vnd.apple.mpegurl"), request)
        shown = session
        if number % 2:
            shown = next(other for other, place in self.sessions.items() if place == number - 1)
        key, claims = request.headers.get("X-Api-Key", ""), request.query.get("cust_params", "")
        lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:3", "#EXT-X-MEDIA-SEQUENCE:0",
                 "#EXT-X-PLAYLIST-TYPE:VOD"]
        for place in range(3):
            lines += ["#EXTINF:2.0,", f"/ads/{key}/{METADATA_TOKEN}/{number}/{shown}/{place}.ts?claims={claims}&stream_id={shown}"]
        return self.told(live.playlist(lines + ["#EXT-X-ENDLIST"]), request)

    async def lost(self, request):
        return self.told(web.Response(status=404, text=self.echo(request)), request)

    def app(self):
        app = web.Application()
        app.add_routes([
            web.get("/{vault}/master.m3u8", self.master),
            web.get("/{vault}/{token}/{name}.m3u8", self.media),
            web.post("/ssai/pods/api/v1/network/{network}/custom_asset/{asset}/stream", self.register),
            web.get("/linear/pods/v1/hls/network/{network}/custom_asset/{asset}/{kind}/{pod}", self.pod),
            web.get("/{rest:.*}", self.lost),
        ])
        return app


live.serve(lambda fault: Server().app())
