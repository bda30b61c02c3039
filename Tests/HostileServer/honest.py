"""What the server answers where it does not lie: a channel, sessions, pods, metadata, asset lists, steering, segments."""

import json
import os
import time

SEGMENT = 1.0
WINDOW = 10
PLAYLIST = "application/vnd.apple.mpegurl"
JSON = "application/json"


def iso(seconds):
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"


class Channel:
    """What one lie's viewers are told besides it; it begins with its first media playlist, however late that is asked for."""

    def __init__(self, name, kind, base):
        self.name, self.kind, self.base = name, kind, base
        self.began = None
        self.pods = set()

    def answer(self, kind, path):
        """Status, media type and body."""
        made = getattr(self, kind)(path)
        if isinstance(made, str):
            return 200, PLAYLIST, made.encode()
        if isinstance(made, dict):
            return 201 if kind == "registration" else 200, JSON, json.dumps(made).encode()
        return 200, "video/mp2t", made

    def multivariant(self, path):
        steering = ""
        if self.kind == "steering":
            steering = f'#EXT-X-CONTENT-STEERING:SERVER-URI="/{self.name}/steering.json",PATHWAY-ID="A"\n'
        pathway = ',PATHWAY-ID="A"' if steering else ""
        return (
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n" + steering +
            f'#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.64001f",RESOLUTION=1280x720{pathway}\n'
            "media.m3u8\n"
        )

    def media_lines(self):
        self.began = self.began or time.time()
        edge = int(time.time() / SEGMENT)
        first = edge - WINDOW
        yield f"#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:{first}\n"
        yield "#EXT-X-INDEPENDENT-SEGMENTS\n"
        # Who watches three segments behind the live edge meets it within two seconds.
        start = f'#EXT-X-DATERANGE:ID="{self.name}",START-DATE="{iso(int(self.began) - 2)}",'
        if self.kind == "asset_list":
            yield start + (
                f'CLASS="com.apple.hls.interstitial",DURATION=1,X-ASSET-LIST="/{self.name}/assets.json",X-RESUME-OFFSET=0\n'
            )
        # What follows a playlist would be taken for the answer to a pod that is asked for meanwhile, or to metadata.
        elif self.kind != "playlist":
            yield start + 'CLASS="break"\n'
        for number in range(first, edge):
            yield f"#EXT-X-PROGRAM-DATE-TIME:{iso(number * SEGMENT)}\n#EXTINF:{SEGMENT},\ns{number}.ts\n"

    def playlist(self, path):
        return "".join(self.media_lines())

    def pod_manifest(self, path):
        self.pods.add(path.rsplit("/", 1)[-1].split("?")[0].removesuffix(".m3u8"))
        return (
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:0\n"
            f"#EXTINF:1.0,\n/{self.name}/ad.ts\n#EXT-X-ENDLIST\n"
        )

    asset_manifest = pod_manifest

    def registration(self, path):
        number = os.urandom(8).hex()
        session = {"stream_id": number, "valid_for": "8h0m0s"}
        if self.kind == "playlist":
            return session
        return session | {
            "metadata_url": f"{self.base}/{self.name}/metadata/{number}",
            "media_verification_url": f"{self.base}/{self.name}/verify/{number}/",
            "polling_frequency": 1,
        }

    def metadata(self, path):
        ads = {pod: {"ad_break_id": pod, "seq": 1, "duration": 1.0, "slate": False} for pod in self.pods}
        breaks = {pod: {"type": "mid", "duration": 1.0, "ads": 1} for pod in self.pods}
        tags = {f"{pod}-start": {"ad": pod, "ad_break_id": pod, "type": "start"} for pod in self.pods}
        return {"tags": tags, "ads": ads, "ad_breaks": breaks}

    def asset_list(self, path):
        return {"ASSETS": [{"URI": f"/{self.name}/asset.m3u8", "DURATION": 1.0}]}

    def steering(self, path):
        return {"VERSION": 1, "TTL": 1, "PATHWAY-PRIORITY": ["A"]}

    def verification(self, path):
        return b""

    def pod_segment(self, path):
        return b"G" + b"\0" * 187

    segment = pod_segment


def asked(path, lie):
    """Which lie a path belongs to, the viewer's own where it names none, and what kind of answer it wants; None for what is
    nobody's.
    """
    plain = path.split("?")[0]
    pieces = plain.strip("/").split("/")
    if "custom_asset" in pieces:
        return lie, "registration" if pieces[-1] == "stream" else "pod_manifest"
    if len(pieces) < 2:
        return None
    kinds = {
        "master.m3u8": "multivariant", "media.m3u8": "playlist", "asset.m3u8": "asset_manifest",
        "assets.json": "asset_list", "steering.json": "steering", "metadata": "metadata", "verify": "verification",
        "ad.ts": "pod_segment", "pod.m3u8": "pod_manifest",
    }
    return pieces[0], kinds.get(pieces[1], "segment")
