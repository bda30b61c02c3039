"""Ad servers that point at the services of whoever asks them.

The first listens on 127.0.1.1, the next on 127.0.1.2 and so on, all at the port that is printed. Each names services of other addresses
in one kind of place: a rendition, segments, the server of steering, a redirect of a playlist, a redirect of a pod, its segments, an asset
list, an asset, metadata, or pings.

usage: pointing_home.py KIND=HOST:PORT[,HOST:PORT...] ...
"""

import asyncio
import contextvars
import itertools
import sys
import time

from aiohttp import web

SEGMENT = 1.0


class Server:
    def __init__(self, setting):
        self.kind, services = setting.split("=", 1)
        self.services = itertools.cycle(services.split(","))
        self.pods = set()


SERVERS = {f"127.0.1.{number}": Server(setting) for number, setting in enumerate(sys.argv[1:], 1)}
asked = contextvars.ContextVar("asked")


@web.middleware
async def choosing(request, handler):
    asked.set(SERVERS[request.host.split(":")[0]])
    return await handler(request)


def kind():
    return asked.get().kind


def home(path):
    """A service of the asker's machine, another one each time."""
    return f"http://{next(asked.get().services)}{path}"


def place(name, path):
    return home(path) if name == kind() else path


def date(seconds):
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"


async def master(request):
    steering = ""
    if kind() == "steering":
        steering = f'#EXT-X-CONTENT-STEERING:SERVER-URI="{home("/steering.json")}"\n'
    return web.Response(
        text="#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        + steering
        + '#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.64001f",RESOLUTION=1280x720\n'
        + place("rendition", "/media.m3u8")
        + "\n",
        content_type="application/vnd.apple.mpegurl",
    )


async def media(request):
    if kind() == "redirect":
        raise web.HTTPFound(home("/media.m3u8"))
    edge = int(time.time() / SEGMENT)
    first = edge - 10
    text = f"#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:{first}\n"
    text += "#EXT-X-INDEPENDENT-SEGMENTS\n"
    if kind() in ("asset-list", "asset"):
        text += interstitials(edge)
    for number in range(first, edge):
        text += f"#EXT-X-PROGRAM-DATE-TIME:{date(number * SEGMENT)}\n#EXTINF:{SEGMENT},\n"
        text += place("segment", f"/s{number}.ts") + "\n"
    return web.Response(text=text, content_type="application/vnd.apple.mpegurl")


def interstitials(edge):
    where = place("asset-list", "/assets.json")
    last = edge - edge % 6
    return "".join(
        f'#EXT-X-DATERANGE:ID="b{start}",CLASS="com.apple.hls.interstitial",START-DATE="{date(start)}",'
        f'DURATION=2,X-ASSET-LIST="{where}",X-RESUME-OFFSET=0\n'
        for start in (last, last + 6)
    )


async def assets(request):
    return web.json_response({"ASSETS": [{"URI": place("asset", "/pod/asset.m3u8"), "DURATION": 2.0}]})


async def registration(request):
    base = f"http://{request.host}"
    return web.json_response(
        {
            "stream_id": "0123456789abcdef",
            "valid_for": "8h0m0s",
            "metadata_url": home("/metadata") if kind() == "metadata" else f"{base}/metadata",
            "media_verification_url": home("/media/") if kind() == "ping" else f"{base}/media/",
            "polling_frequency": 2,
        }
    )


async def metadata(request):
    ads = {pod: {"ad_break_id": pod, "seq": 1, "duration": 2.0, "slate": False} for pod in asked.get().pods}
    breaks = {pod: {"type": "mid", "duration": 2.0, "ads": 1} for pod in asked.get().pods}
    tags = {f"{pod}-start": {"ad": pod, "ad_break_id": pod, "type": "start"} for pod in asked.get().pods}
    return web.json_response({"tags": tags, "ads": ads, "ad_breaks": breaks})


async def pod(request):
    asked.get().pods.add(request.match_info.get("pod", "asset").removesuffix(".m3u8"))
    if kind() == "pod":
        raise web.HTTPTemporaryRedirect(home("/pod.m3u8"))
    text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:0\n"
    text += "#EXTINF:2.0,\n" + place("pod-segment", "/ad.ts") + "\n#EXT-X-ENDLIST\n"
    return web.Response(text=text, content_type="application/vnd.apple.mpegurl")


async def anything(request):
    return web.Response(body=b"G" + b"\0" * 187, content_type="video/mp2t")


async def serve():
    application = web.Application(middlewares=[choosing])
    asset = "/network/{network}/custom_asset/{asset}"
    application.add_routes([
        web.get("/master.m3u8", master),
        web.get("/media.m3u8", media),
        web.get("/assets.json", assets),
        web.get("/metadata", metadata),
        web.post(f"/ssai/pods/api/v1{asset}/stream", registration),
        web.get(f"/linear/pods/v1/hls{asset}/{{kind}}/{{pod}}", pod),
        web.get("/pod/asset.m3u8", pod),
        web.get("/{rest:.*}", anything),
    ])
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    port = 0
    for address in SERVERS:
        await web.TCPSite(runner, address, port).start()
        port = runner.addresses[0][1]
    print(port, flush=True)
    await asyncio.Event().wait()


asyncio.run(serve())
