"""A channel with breaks, some of which its viewers are not told of, or not in time. Only the standard library.

--late SECONDS    the first break is listed only so long after its start, and the second never: the run would end about then
--mark KIND       how they are listed: interstitial (the default), cue
--strip KIND      every second session is given no marks of breaks (marks), or a playlist without segments (segments)
Prints its port. Seconds count from the first request.
"""

import argparse
import datetime
import http.server
import itertools
import json
import re
import socketserver
import sys
import threading
import time

TARGET = 1
BREAKS = [14, 24]
LENGTH = 4

arguments = argparse.ArgumentParser()
arguments.add_argument("--late", type=float, default=None)
arguments.add_argument("--mark", choices=["interstitial", "cue"], default="interstitial")
arguments.add_argument("--strip", choices=["marks", "segments"])
options = arguments.parse_args()

lock = threading.Lock()
began = None
sessions = itertools.count()


def second():
    global began
    with lock:
        if began is None:
            began = time.time()
        return time.time() - began


def date(at):
    moment = datetime.datetime.fromtimestamp(began + at, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def marks(start, port):
    """The tags that list a break, by the second of the segment that they precede; None for those of the whole playlist."""
    return {
        "interstitial": {None: f'#EXT-X-DATERANGE:ID="break{start}",START-DATE="{date(start)}",DURATION={LENGTH}.0,'
                               f'CLASS="com.apple.hls.interstitial",X-RESUME-OFFSET={LENGTH},'
                               f'X-ASSET-URI="http://127.0.0.1:{port}/ad.m3u8"'},
        "cue": {start: f"#EXT-X-CUE-OUT:{LENGTH}", start + LENGTH: "#EXT-X-CUE-IN"},
    }[options.mark]


def live(port, isStripped):
    now = second()
    last = int(now) // TARGET - 1
    first = max(0, last - 19)
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", f"#EXT-X-TARGETDURATION:{TARGET}", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
    if isStripped and options.strip == "segments":
        return "\n".join(lines) + "\n"
    listed = {}
    for start in BREAKS if options.late is None else BREAKS[:1]:
        if isStripped and options.strip == "marks":
            continue
        if (start + options.late if options.late is not None else start - 10) <= now <= start + 18:
            for before, tag in marks(start, port).items():
                listed.setdefault(before, []).append(tag)
    for number in range(first, last + 1):
        lines += listed.get(number * TARGET, [])
        lines.append(f"#EXT-X-PROGRAM-DATE-TIME:{date(number * TARGET)}")
        lines += [f"#EXTINF:{TARGET}.0,", f"segment{number}.ts"]
    return "\n".join(lines + listed.get(None, [])) + "\n"


VOD = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n#EXTINF:4.0,\nad.ts\n#EXT-X-ENDLIST\n"
MASTER = '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.4d401f,mp4a.40.2",FRAME-RATE=25\nlive.m3u8\n'


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    session = None

    def say(self, text, status=200, kind="application/vnd.apple.mpegurl", headers=()):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def register(self):
        if self.session is None:
            self.session = next(sessions)
        return self.say(json.dumps({"session": {"id": f"session-{self.session}"}}), 200, "application/json")

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        second()
        self.register()

    def do_GET(self):
        path = self.path.split("?")[0]
        second()
        if path.endswith("/session"):
            return self.register()
        if path.endswith("/master.m3u8"):
            return self.say(MASTER)
        if path.endswith("/live.m3u8"):
            number = re.search("session-([0-9]+)", path)
            return self.say(live(self.server.server_address[1], bool(number and int(number[1]) % 2)))
        if path.endswith("/ad.m3u8") or path.endswith("/pod.m3u8"):
            return self.say(VOD)
        return self.say("", 404)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 512


server = Server(("127.0.0.1", 0), Answer)
print(server.server_address[1], flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
