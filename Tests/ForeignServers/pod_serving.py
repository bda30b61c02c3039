"""A channel and an ad server in the shape of Google's pod serving, which do what is lawful and common.

Pods are aimed at cohorts, addresses are signed anew at each answer, the channel is called by a stream_id that is nobody's
session, metadata lists prefixes of the ids that ads carry as ID3 in MPEG-TS, a prefix alone is answered with 404, and the
verification of a start with 409. A session that registers with `renditions` gets manifests that lead to renditions, which lie
under another path in each answer. Each word of --fault is one thing that is wrong:

  leak       the pods of every third session carry the session of another
  stray      one session is given ads of its own
  elsewhere  sessions are to be updated at a server that nobody has authorised
  metadata   metadata lies at a server that nobody has authorised
"""

import datetime
import hashlib
import urllib.parse
import uuid

import live
import timed_id3
from aiohttp import web

# Cut at frames of 29.97 a second.
AD_SEGMENT_SECONDS = 2.002
# What happens in an ad, with seconds of it; progress is told of late, when metadata must have come.
EVENTS = ((0.0, "start"), (0.5, "firstquartile"), (1.0, "midpoint"), (1.5, "thirdquartile"), (1.9, "complete"))
PROGRESS = (1.2, "progress")


def prefix(pod, ad, event):
    return f"google_{pod}_{ad}_{event}_"


def whole(pod, ad, event):
    listed = prefix(pod, ad, event)
    return listed + hashlib.sha256(listed.encode()).hexdigest()[:20]


def events(ad):
    return EVENTS + (PROGRESS,) if ad == "b" else EVENTS


class Server:
    def __init__(self, fault):
        self.faults = fault.split()
        self.sessions = {}
        self.asked = set()
        self.answers = {}

    async def master(self, request):
        return live.playlist(live.master(lambda name: f"{name}/media.m3u8?stream_id=sports-hd&{live.signature()}"))

    async def media(self, request):
        # Caches keep one address for a segment: what is signed is the playlist's.
        return live.playlist(live.media(lambda number: f"{number}.ts?stream_id=sports-hd"))

    async def register(self, request):
        form = await request.post()
        claims = urllib.parse.parse_qs(urllib.parse.unquote(form.get("cust_params", "")))
        session = f"{uuid.uuid4()}:TUL"
        self.sessions[session] = (len(self.sessions), claims.get("region", ["?"])[0], "renditions" in form)
        base = f"{request.scheme}://{request.host}"
        quoted = urllib.parse.quote(session, safe="")
        until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=8)
        update = "http://192.0.2.1" if "elsewhere" in self.faults else base
        metadata = "http://metadata.example.net:8443" if "metadata" in self.faults else base
        return web.json_response({
            "stream_id": session,
            "valid_for": "8h0m0s",
            "valid_until": until.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "manifest_format": "hls",
            "media_verification_url": f"{base}/verify/{quoted}/",
            "metadata_url": f"{metadata}/metadata/{quoted}",
            "session_update_url": f"{update}/update/{quoted}",
            "polling_frequency": 2,
        }, status=201)

    async def update(self, request):
        if request.match_info["session"] not in self.sessions:
            return web.Response(status=404)
        told = sorted((await request.post()).items())
        print("updated", *(f"{name}={value}" for name, value in told), flush=True)
        return web.Response(status=204)

    def creatives(self, session, pod):
        number, region, _ = self.sessions[session]
        self.asked.add((session, pod))
        if "stray" in self.faults and number == 0:
            return ["stray-a", "stray-b"]
        return [f"{region}-a", f"{region}-b"]

    async def pod(self, request):
        session = request.query.get("stream_id", "")
        if session not in self.sessions:
            return web.Response(status=404)
        pod = request.match_info["pod"]
        name = pod.removesuffix(".m3u8")
        count = int(request.query["pd"]) // 2_000
        creatives = self.creatives(session, pod)
        if not self.sessions[session][2]:
            return live.playlist(self.ads(session, name, creatives, count))
        answer = uuid.uuid4().hex
        self.answers[answer] = (session, name, creatives, count)
        shown = urllib.parse.quote(self.shown(session), safe="")
        return live.playlist(live.master(lambda size: f"/renditions/{answer}/{size}.m3u8?id={shown}&{live.signature()}"))

    async def rendition(self, request):
        session, name, creatives, count = self.answers[request.match_info["answer"]]
        size = request.match_info["size"]
        return live.playlist(self.ads(session, name, [f"{creative}-{size}" for creative in creatives], count))

    def shown(self, session):
        own = self.sessions[session][0]
        if "leak" not in self.faults or own % 3 != 2:
            return session
        return next(other for other, (number, *_) in self.sessions.items() if number == own - 1)

    def ads(self, session, name, creatives, count):
        shown = urllib.parse.quote(self.shown(session), safe="")
        lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:3", "#EXT-X-MEDIA-SEQUENCE:0",
                 "#EXT-X-PLAYLIST-TYPE:VOD"]
        for number in range(count):
            creative = creatives[min(number * len(creatives) // max(count, 1), len(creatives) - 1)]
            if number and creative != creatives[(number - 1) * len(creatives) // count]:
                lines.append("#EXT-X-DISCONTINUITY")
            lines.append(f"#EXTINF:{AD_SEGMENT_SECONDS:.3f},")
            lines.append(f"/ads/{name}/{creative}/{number}.ts?stream_id={shown}&{live.signature()}")
        lines.append("#EXT-X-ENDLIST")
        return lines

    async def metadata(self, request):
        session = request.match_info["session"]
        if session not in self.sessions:
            return web.Response(status=404)
        tags, ads, breaks = {}, {}, {}
        for pod in [pod for known, pod in self.asked if known == session]:
            name = pod.removesuffix(".m3u8")
            breaks[name] = {"type": "mid", "duration": 4.004, "ads": 2}
            for sequence, ad in enumerate(("a", "b"), 1):
                ads[f"{name}_{ad}"] = {"ad_break_id": name, "seq": sequence, "duration": 2.002, "slate": False}
                for _, event in events(ad):
                    tags[prefix(name, ad, event)] = {"ad": f"{name}_{ad}", "ad_break_id": name, "type": event}
        return web.json_response({"tags": tags, "ads": ads, "ad_breaks": breaks})

    async def segment(self, request):
        pod, number = request.match_info["name"], int(request.match_info["number"])
        ad = "ab"[min(number, 1)]
        happens = [(at, whole(pod, ad, event)) for at, event in events(ad)]
        # Shortly before the clock comes round.
        body = timed_id3.segment(95_443.0 + number * AD_SEGMENT_SECONDS, AD_SEGMENT_SECONDS, happens)
        return web.Response(body=body, content_type="video/mp2t")

    async def verify(self, request):
        asked = request.match_info["id"]
        pods = [pod.removesuffix(".m3u8") for session, pod in self.asked if session == request.match_info["session"]]
        known = {whole(pod, ad, event): event for pod in pods for ad in "ab" for _, event in events(ad)}
        event = known.get(asked, "bare" if asked.endswith("_") else "unknown")
        print("pinged" if asked in known else "refused", event, flush=True)
        if asked not in known:
            return web.Response(status=404)
        return web.Response(status=409 if event == "start" else 204)

    def app(self):
        app = web.Application()
        app.add_routes([
            web.get("/live/master.m3u8", self.master),
            web.get("/live/{name}/media.m3u8", self.media),
            web.post("/ssai/pods/api/v1/network/{network}/custom_asset/{asset}/stream", self.register),
            web.get("/linear/pods/v1/hls/network/{network}/custom_asset/{asset}/{kind}/{pod}", self.pod),
            web.get("/renditions/{answer}/{size}.m3u8", self.rendition),
            web.get("/ads/{name}/{creative}/{number}.ts", self.segment),
            web.get("/metadata/{session}", self.metadata),
            web.post("/update/{session}", self.update),
            web.get("/verify/{session}/{id}", self.verify),
        ])
        return app


live.serve(lambda fault: Server(fault).app())
