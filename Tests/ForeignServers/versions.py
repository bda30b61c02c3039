"""Playlists whose versions follow the draft in ways that are seldom met, or break it in one way.

/SCENARIO/... is served, live ones from the first request for them on.
What changes does so with the fifth answer, however late it is asked for.
"""

import asyncio
import collections
import datetime
import time

from aiohttp import web

HEAD = ["#EXTM3U", "#EXT-X-VERSION:9"]
STARTS = {}
ANSWERS = collections.Counter()


def date(seconds):
    moment = datetime.datetime(2026, 11, 24, 20, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def live(scenario, newest, more=(), name=lambda number: f"s{number}.ts", before=lambda number: (), window=6):
    """Segments of one second up to the newest."""
    first = newest - window + 1
    lines = HEAD + ["#EXT-X-TARGETDURATION:1", f"#EXT-X-MEDIA-SEQUENCE:{first}", *more]
    for number in range(first, newest + 1):
        lines += [*before(number), f"#EXT-X-PROGRAM-DATE-TIME:{date(number)}", "#EXTINF:1.000,", name(number)]
    return lines


def recording(count=4, more=(), start=0):
    lines = HEAD + ["#EXT-X-TARGETDURATION:8", "#EXT-X-PLAYLIST-TYPE:VOD", *more]
    for number in range(count):
        lines += [f"#EXT-X-PROGRAM-DATE-TIME:{date(start + 8 * number)}", "#EXTINF:8.000,", f"{number}.ts"]
    return lines + ["#EXT-X-ENDLIST"]


def variants(*names, frames=None):
    lines = HEAD[:]
    for name in names:
        lines += ['#EXT-X-STREAM-INF:BANDWIDTH=90000,AVERAGE-BANDWIDTH=80000,CODECS="mp4a.40.2"', name]
    if frames:
        lines.append(f'#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9000,URI="{frames}"')
    return lines


def spelling(request, number):
    """One place, spelt in each of four ways by turns."""
    path = f"{request.path.rsplit('/', 1)[0]}/s{number}.ts"
    turn = int(time.time()) % 4
    return [f"s{number}.ts", f"./s{number}.ts", path, f"http://{request.host}{path}"][turn]


def breaks(number):
    """Every fifth segment begins a break, behind two tags."""
    return ["#EXT-X-DISCONTINUITY"] * 2 if number % 5 == 0 else []


def answer(request, lines, **headers):
    body = "\n".join(lines) + "\n"
    return web.Response(text=body, content_type="application/vnd.apple.mpegurl", headers=headers)


async def serve(request):
    scenario, file = request.match_info["scenario"], request.match_info["file"]
    elapsed = time.monotonic() - STARTS.setdefault(scenario, time.monotonic())
    newest = 100 + int(elapsed)
    ANSWERS[scenario] += 1
    # A segment for each answer, so that versions have some in common, however late they are asked for.
    next_one = 99 + ANSWERS[scenario]
    late = ANSWERS[scenario] > 4
    start = STARTS[scenario]
    match scenario, file:
        case "ends", _:
            end = ["#EXT-X-ENDLIST"] if late else []
            return answer(request, live(scenario, min(next_one, 104)) + end)
        case "spelt", _:
            return answer(request, live(scenario, newest, name=lambda number: spelling(request, number)))
        case "plain", _:
            body = live(scenario, newest)
            tag = f'"{newest}"'
            if request.headers.get("If-None-Match") == tag:
                return web.Response(status=304, headers={"ETag": tag})
            return answer(request, body, ETag=tag)
        case "back", _:
            body = live(scenario, newest)
            return answer(request, body + ["#EXT-X-DISCONTINUITY", f"#EXT-X-PROGRAM-DATE-TIME:{date(50)}", "#EXTINF:1,", "b.ts", "#EXT-X-ENDLIST"])
        case "held", _:
            asked = int(request.query.get("_HLS_msn", "0"))
            while asked > 100 + int(time.monotonic() - start):
                await asyncio.sleep(0.02)
            newest = 100 + int(time.monotonic() - start)
            return answer(request, live(scenario, newest, ["#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES"]))
        case "doubled", _:
            # Two tags before each break, also before its first segment is there; both count.
            count = f"#EXT-X-DISCONTINUITY-SEQUENCE:{2 * ((newest - 6) // 5)}"
            body = live(scenario, newest, [count], before=breaks)
            return answer(request, body + breaks(newest + 1))
        case "event", _:
            newest = min(next_one, 104)
            kind = "VOD" if late else "EVENT"
            body = live(scenario, newest, [f"#EXT-X-PLAYLIST-TYPE:{kind}"], window=newest - 94)
            return answer(request, body + (["#EXT-X-ENDLIST"] if late else []))
        case "moved", "main.m3u8":
            return answer(request, variants("new.m3u8" if late else "old.m3u8"))
        case "moved", "old.m3u8":
            if late:
                return web.Response(status=404)
            return answer(request, live(scenario, newest))
        case "elsewhere", "main.m3u8":
            return answer(request, variants("a.m3u8", "http://cdn.example/elsewhere/b.m3u8"))
        case "subtitled", "main.m3u8":
            subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="s",URI="s.m3u8"'
            return answer(request, [*variants("a.m3u8"), subtitles])
        case "subtitled", "s.m3u8":
            # Section 6.2.4: subtitles of a recording may have a target duration of their own.
            return answer(request, [line.replace("TION:8", "TION:16") for line in recording()])
        case "recorded", "main.m3u8":
            return answer(request, variants("a.m3u8", "b.m3u8"))
        case "shorter", "main.m3u8":
            return answer(request, variants("a.m3u8", "b.m3u8"))
        case "shorter", "b.m3u8":
            return answer(request, recording(2))
        case "dated", "main.m3u8":
            return answer(request, variants("a.m3u8", "b.m3u8"))
        case "dated", "b.m3u8":
            return answer(request, recording(start=4))
        case ("frames" | "noframes"), "main.m3u8":
            return answer(request, variants("a.m3u8", frames="i.m3u8"))
        case "frames", "i.m3u8":
            return answer(request, recording(more=["#EXT-X-I-FRAMES-ONLY"]))
    return answer(request, recording())


async def main():
    app = web.Application()
    app.router.add_get("/{scenario}/{file}", serve)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
