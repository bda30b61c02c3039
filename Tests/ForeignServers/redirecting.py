"""A live channel whose sessions begin with redirects. Only the standard library.

--kind cookies    as mediamtx (internal/servers/hls/http_server.go): the multivariant playlist sets a cookie with a 302 to itself,
                  then a session's cookie, each twice, once for https alone; media playlists without it get 401
--kind elsewhere  as Broadpeak's: a POST for a session gets 307 to the second port, and the channel of a session 302 with a
                  cookie that the playlists there want
--permits all      lets pages of any origin read all answers, with their cookies
Prints both ports, then a line for each request: method, path, status.
"""

import argparse
import datetime
import http.cookies
import http.server
import itertools
import json
import sys
import threading
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("--kind", choices=["cookies", "elsewhere"], required=True)
arguments.add_argument("--permits", choices=["all"])
arguments = arguments.parse_args()
kind = arguments.kind
numbers = itertools.count(1)
known = set()
SEGMENT = 2


def media():
    last = int(time.time() / SEGMENT) - 1
    first = last - 7
    begun = datetime.datetime.fromtimestamp(first * SEGMENT, datetime.timezone.utc).isoformat(timespec="milliseconds")
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", f"#EXT-X-TARGETDURATION:{SEGMENT}", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
    lines += ["#EXT-X-INDEPENDENT-SEGMENTS", f"#EXT-X-PROGRAM-DATE-TIME:{begun.replace('+00:00', 'Z')}"]
    for number in range(first, last + 1):
        lines += [f"#EXTINF:{SEGMENT}.000,", f"{number}.ts"]
    return "\n".join(lines) + "\n"


MULTIVARIANT = """#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1800000,RESOLUTION=640x360,FRAME-RATE=25.000,CODECS="avc1.4d401f,mp4a.40.2"
video.m3u8
"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.path == "/session":
            return self.give(307, {"Location": f"http://127.0.0.1:{second.server_port}/sessions"})
        if self.path != "/sessions":
            return self.give(404)
        self.give(201, {"Content-Type": "application/json"}, json.dumps({"id": f"s{next(numbers)}"}))

    def do_OPTIONS(self):
        self.give(204, {"Access-Control-Allow-Headers": "content-type", "Access-Control-Allow-Methods": "POST"})

    def do_GET(self):
        path, _, query = self.path.partition("?")
        had = http.cookies.SimpleCookie(self.headers["Cookie"] or "")
        {"cookies": self.cookies, "elsewhere": self.elsewhere}[kind](path, query, had)

    def cookies(self, path, query, had):
        if path == "/live/index.m3u8":
            if query != "cookieCheck=1":
                return self.give(302, {"Location": "/live/index.m3u8?cookieCheck=1"}, set=("cookieCheck", "1"))
            if "cookieCheck" not in had:
                return self.give(400)
            session = f"secret{next(numbers)}"
            known.add(session)
            return self.playlist(MULTIVARIANT, set=("session", session))
        if path != "/live/video.m3u8":
            return self.give(404)
        if "session" not in had or had["session"].value not in known:
            return self.give(401)
        self.playlist(media())

    def elsewhere(self, path, query, had):
        parts = path.split("/")
        if path.startswith("/live/") and self.server is first:
            return self.give(302, {"Location": f"/at/{parts[2]}/index.m3u8"}, set=("edge", parts[2]))
        if parts[1] != "at" or "edge" not in had or had["edge"].value != parts[2]:
            return self.give(403)
        self.playlist(media() if parts[3] == "video.m3u8" else MULTIVARIANT)

    def playlist(self, text, set=None):
        self.give(200, {"Content-Type": "application/vnd.apple.mpegurl"}, text, set)

    def give(self, status, headers={}, text="", set=None):
        # One write: a thread each tells its line.
        print(f"{self.command} {self.path.partition('?')[0]} {status}\n", end="", flush=True)
        body = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if set:
            self.send_header("Set-Cookie", f"{set[0]}={set[1]}; Path=/")
            self.send_header("Set-Cookie", f"{set[0]}={set[1]}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned")
        if arguments.permits:
            self.send_header("Access-Control-Allow-Origin", self.headers["Origin"] or "*")
            self.send_header("Access-Control-Allow-Credentials", "true")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


first, second = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2))
sys.stdout.write(f"{first.server_port}\n{second.server_port}\n")
sys.stdout.flush()
threading.Thread(target=second.serve_forever, daemon=True).start()
first.serve_forever()
