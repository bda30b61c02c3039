"""A live channel in two variants, and a server for it: what the ad servers beside it have in common."""

import argparse
import asyncio
import base64
import datetime
import os
import time

from aiohttp import web

SEGMENT_SECONDS = 2.0
WINDOW = 8
VARIANTS = (("hd", 5_000_000, "1280x720"), ("sd", 1_200_000, "640x360"))


def signature():
    """Fresh at each call, in the shape of CloudFront's."""
    policy = base64.urlsafe_b64encode(os.urandom(9)).decode()
    return f"Expires={int(time.time()) + 600}&Policy={policy}&Signature={os.urandom(16).hex()}&Key-Pair-Id=K2JCJMDEHXQW5F"


def master(address):
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-INDEPENDENT-SEGMENTS"]
    for name, bandwidth, size in VARIANTS:
        lines.append(
            f"#EXT-X-STREAM-INF:BANDWIDTH={bandwidth},AVERAGE-BANDWIDTH={bandwidth * 9 // 10},RESOLUTION={size},"
            'FRAME-RATE=25.000,CODECS="avc1.4d401f,mp4a.40.2"'
        )
        lines.append(address(name))
    return lines


def iso(seconds):
    date = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return date.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def media(address, is_edge=lambda number: False):
    """The live window as it is; is_edge says which segments begin a discontinuity."""
    last = int(time.time() / SEGMENT_SECONDS) - 1
    first = last - WINDOW + 1
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:2", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
    # Counted from the beginning of time, so that it is the same for whoever asks.
    lines.append(f"#EXT-X-DISCONTINUITY-SEQUENCE:{discontinuities(first - 1, is_edge)}")
    lines.append("#EXT-X-INDEPENDENT-SEGMENTS")
    for number in range(first, last + 1):
        if is_edge(number) and number > first:
            lines.append("#EXT-X-DISCONTINUITY")
        if number == first or is_edge(number):
            lines.append(f"#EXT-X-PROGRAM-DATE-TIME:{iso(number * SEGMENT_SECONDS)}")
        lines += [f"#EXTINF:{SEGMENT_SECONDS:.3f},", address(number)]
    return lines


ORIGIN = int(time.time() / SEGMENT_SECONDS) - 1_000


def discontinuities(upto, is_edge):
    """How many edges there were since the server's own beginning, the first segment of the window included."""
    return sum(1 for number in range(ORIGIN, upto + 2) if is_edge(number))


def playlist(lines):
    text = "\n".join(lines) + "\n"
    headers = {"Content-Type": "application/vnd.apple.mpegurl", "X-Cache": "MISS", "Via": "1.1 edge-7"}
    answer = web.Response(body=text.encode(), headers=headers)
    answer.enable_compression(force=web.ContentCoding.gzip)
    return answer


def fault():
    """What the command line wants to be wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", default="")
    return parser.parse_args().fault


def serve(make_app):
    """Serves the app of a fault on a free port of loopback, which is printed."""
    wrong = fault()

    async def run():
        runner = web.AppRunner(make_app(wrong), access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        print(runner.addresses[0][1], flush=True)
        await asyncio.Event().wait()

    asyncio.run(run())
