"""A channel and its ads in the shape of MediaTailor's guided insertion with client-side reporting, which does what is lawful and
common.

A POST makes the session, whose id all addresses carry on; interstitials have asset lists, whose ads are each session's own and
signed anew at each answer; a TRACKING section says what is to be sent when, in times of the playback session, with events that
only a viewer causes between those that come of themselves. With --fault=all the asset lists of every third session carry the session of
another and name a beacon twice, and its second ad is not there.
"""

import time
import urllib.parse
import uuid

import live
from aiohttp import web

# A break begins with each fourth segment, and is known six seconds before.
PERIOD_SECONDS, LEAD_SECONDS = 8, 6
# Cut at frames of 29.97 a second.
AD_SECONDS, ADS = 2.002, 2
QUARTERS = {"impression": 0, "start": 0, "firstQuartile": 1, "midpoint": 2, "thirdQuartile": 3, "complete": 4}


class Server:
    def __init__(self, fault):
        self.is_faulty = fault == "all"
        self.sessions = {}

    async def session(self, request):
        asked = await request.json()
        if asked.get("insertionMode") != "GUIDED":
            return web.Response(status=400)
        session = str(uuid.uuid4())
        self.sessions[session] = (len(self.sessions), time.time(), asked.get("reportingMode"))
        return web.json_response({"manifestUrl": f"/v1/master/{request.match_info['asset']}?aws.sessionId={session}"})

    def asked_by(self, request):
        session = request.query.get("aws.sessionId", "")
        return session if session in self.sessions else None

    def touches(self, session):
        return self.is_faulty and self.sessions[session][0] % 3 == 2

    async def master(self, request):
        session = self.asked_by(request)
        if session is None:
            return web.Response(status=400)
        folder = request.match_info["asset"].rpartition("/")[0]
        return live.playlist(live.master(lambda name: f"/v1/i-media/{folder}/{name}.m3u8?aws.sessionId={session}"))

    async def media(self, request):
        session = self.asked_by(request)
        if session is None:
            return web.Response(status=400)
        # Read before the segments are: no range goes before its segments do.
        edge = (int(time.time() / live.SEGMENT_SECONDS)) * live.SEGMENT_SECONDS
        lines = live.media(lambda number: f"/content/{number}.ts")
        place = next(place for place, line in enumerate(lines) if line.startswith("#EXT-X-PROGRAM-DATE-TIME"))
        oldest = edge - live.WINDOW * live.SEGMENT_SECONDS
        first = int(oldest // PERIOD_SECONDS)
        for number in range(first, int((edge + LEAD_SECONDS) // PERIOD_SECONDS) + 1):
            start = number * PERIOD_SECONDS
            if start + ADS * AD_SECONDS <= oldest:
                continue
            lines.insert(
                place,
                f'#EXT-X-DATERANGE:ID="avail-{number}",CLASS="com.apple.hls.interstitial",START-DATE="{live.iso(start)}",'
                f'DURATION={ADS * AD_SECONDS:.3f},X-ASSET-LIST="/v1/interstitials/{request.match_info["folder"]}/{number}.json'
                f'?aws.sessionId={session}",X-SNAP="OUT,IN"',
            )
            place += 1
        return live.playlist(lines)

    def events(self, base, session, avail, ad, start):
        def event(name, seconds, length=0.0):
            parameters = urllib.parse.urlencode({"event": name, "aws.sessionId": session, "cb": uuid.uuid4().hex[:8]})
            return {
                "beaconUrls": [f"{base}/beacon/{session}/{avail}/{ad}/{name}?{parameters}"],
                "duration": f"PT{length}S", "durationInSeconds": length, "eventId": str(avail), "eventType": name,
                "startTime": f"PT{seconds:.3f}S", "startTimeInSeconds": round(seconds, 3),
            }

        events = [event(name, start + AD_SECONDS / 4 * quarter) for name, quarter in QUARTERS.items()]
        # As a VAST answer lists them: what a viewer does has the whole ad for its time.
        events[2:2] = [event(name, start, AD_SECONDS) for name in ("mute", "unmute", "pause", "clickTracking")]
        if self.touches(session) and ad == 0:
            events.append(events[0])
        return events

    async def assets(self, request):
        session = self.asked_by(request)
        if session is None:
            return web.Response(status=400)
        number, begun, reporting = self.sessions[session]
        avail = int(request.match_info["avail"])
        base = f"{request.scheme}://{request.host}"
        # The clock of the session, which began before this break did, or in it.
        start = max(0.0, avail * PERIOD_SECONDS - begun) + 17.817
        shown = session
        if self.touches(session):
            shown = next(other for other, (place, *_) in self.sessions.items() if place == number - 1)
        assets, ads = [], []
        for ad in range(ADS):
            gone = ad == 1 and self.touches(session)
            creative = "gone" if gone else f"{number % 5}-{avail}-{ad}"
            assets.append({
                "URI": f"{base}/ads/{creative}/master.m3u8?aws.sessionId={shown}&{live.signature()}",
                "DURATION": AD_SECONDS,
            })
            begins = start + ad * AD_SECONDS
            ads.append({
                "adId": str(avail * ADS + ad), "adVerifications": [], "companionAds": [], "creativeId": creative,
                "duration": f"PT{AD_SECONDS}S", "durationInSeconds": AD_SECONDS, "extensions": [], "skipOffset": None,
                "startTime": f"PT{begins:.3f}S", "startTimeInSeconds": round(begins, 3),
                "trackingEvents": self.events(base, session, avail, ad, begins), "vastAdId": "",
            })
        answer = {"ASSETS": assets}
        if reporting == "client":
            answer["TRACKING"] = {"avails": [{
                "adBreakTrackingEvents": [], "adMarkerDuration": None, "ads": ads, "availId": str(avail),
                "durationInSeconds": round(ADS * AD_SECONDS, 3), "nonLinearAdsList": [],
                "startTimeInSeconds": round(start, 3),
            }], "nextToken": None, "nonLinearAvails": []}
        return web.json_response(answer)

    async def ad_master(self, request):
        if request.match_info["creative"] == "gone":
            return web.Response(status=404)
        return live.playlist(live.master(lambda name: f"{name}.m3u8?{live.signature()}"))

    async def ad_media(self, request):
        return live.playlist(["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:3", "#EXT-X-PLAYLIST-TYPE:VOD",
                              "#EXT-X-MEDIA-SEQUENCE:0", f"#EXTINF:{AD_SECONDS:.3f},",
                              f"{request.match_info['name']}.ts?{live.signature()}", "#EXT-X-ENDLIST"])

    async def beacon(self, request):
        told = request.match_info
        print("beacon", told["session"], told["avail"], told["ad"], told["event"], flush=True)
        return web.Response(status=200, body=b"GIF89a", content_type="image/gif")

    def app(self):
        app = web.Application()
        app.add_routes([
            web.post("/v1/session/{asset:.+}", self.session),
            web.get("/v1/master/{asset:.+}", self.master),
            web.get("/v1/i-media/{folder:.+}/{name}.m3u8", self.media),
            web.get("/v1/interstitials/{folder:.+}/{avail}.json", self.assets),
            web.get("/ads/{creative}/master.m3u8", self.ad_master),
            web.get("/ads/{creative}/{name}.m3u8", self.ad_media),
            web.get("/beacon/{session}/{avail}/{ad}/{event}", self.beacon),
        ])
        return app


live.serve(lambda fault: Server(fault).app())
