"""Records what the tests read, with writers that share nothing with podswarm: mutagen writes tags, ffmpeg transport
streams and fragmented MP4. Run it in a folder with mutagen installed; ffmpeg knows no event messages, so that their
boxes are written here.
"""

import io
import struct
import subprocess

from mutagen.id3 import ID3, PRIV, TIT2, TXXX


def tag(text, version=4, encoding=3, description=""):
    frames = ID3()
    frames.add(TIT2(encoding=3, text="an ad"))
    frames.add(TXXX(encoding=encoding, desc=description, text=text))
    frames.add(PRIV(owner="com.example.other", data=b"\xff\x00\xe0"))
    file = io.BytesIO()
    frames.save(file, v2_version=version, padding=lambda _: 20)
    return file.getvalue()


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


def checksum(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = ((value << 1) ^ 0x04C11DB7) & 0xFFFFFFFF if value & 0x80000000 else (value << 1) & 0xFFFFFFFF
    return struct.pack(">I", value)


def section(table, extension, body):
    text = struct.pack(">BHHBBB", table, 0xB000 | (len(body) + 9), extension, 0xC1, 0, 0) + body
    return text + checksum(text)


def packets(identifier, data, counter):
    packets, is_first = b"", True
    while data:
        chunk, data = data[:184], data[184:]
        head = struct.pack(">BHB", 0x47, (0x4000 if is_first else 0) | identifier, 0x10 | counter[0])
        counter[0] = counter[0] + 1 & 15
        if len(chunk) < 184:
            rest = 184 - len(chunk)
            head = head[:3] + bytes([head[3] | 0x20])
            chunk = bytes([rest - 1]) + (b"\0" + b"\xff" * (rest - 2) if rest > 1 else b"") + chunk
        packets, is_first = packets + head + chunk, False
    return packets


def table(identifier, data):
    return packets(identifier, (b"\0" + data).ljust(184, b"\xff"), [0])


def metadata_packet(ticks, data):
    time = bytes([0x21 | (ticks >> 29 & 14), ticks >> 22 & 255, (ticks >> 14 & 254) | 1, ticks >> 7 & 255,
                  (ticks << 1 & 254) | 1])
    body = b"\x84\x80\x05" + time + data
    return b"\0\0\1\xbd" + struct.pack(">H", len(body)) + body


def metadata_stream():
    descriptor = b"\x26\x0d\xff\xffID3 \xffID3 \xff\x00\x0f"
    streams = struct.pack(">HH", 0xE102, 0xF000) + struct.pack(">BHH", 0x15, 0xE102, 0xF000 | len(descriptor))
    stream = table(0, section(0, 1, struct.pack(">HH", 1, 0xE100))) + table(0x100, section(2, 1, streams + descriptor))
    counter = [0]
    events = [(0.0, "start", 5), (0.5, "midpoint", 300), (0.9, "complete", 5)]
    for at, event, length in events:
        text = f"google_0123456789-{event}-{'x' * length}"
        # ffmpeg takes five bytes for the header of an access unit when it reads, and writes none.
        unit = struct.pack(">BBBH", 0, 0, 0xDF, len(tag(text))) + tag(text)
        stream += packets(0x102, metadata_packet(int((10 + at) * 90_000), unit), counter)
    return stream


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *arguments], check=True)


def message(version, scheme, timescale, time, data):
    names = scheme.encode() + b"\0" + b"\0"
    if version == 0:
        body = names + struct.pack(">IIII", timescale, time, 0xFFFFFFFF, 7)
    else:
        body = struct.pack(">IQII", timescale, time, 0xFFFFFFFF, 7) + names
    body = bytes([version, 0, 0, 0]) + body + data
    return struct.pack(">I", len(body) + 8) + b"emsg" + body


def boxes(data):
    place = 0
    while place < len(data):
        size = struct.unpack(">I", data[place:place + 4])[0]
        yield data[place + 4:place + 8], data[place:place + size]
        place += size


write("utf8.id3", tag("google_0123456789-start"))
write("utf16.id3", tag("google_0123456789-start", version=3, encoding=1, description="ünïcode"))
write("latin1.id3", tag("google_0123456789-start", encoding=0, description="d"))

picture = ["-f", "lavfi", "-i", "testsrc2=size=32x32:rate=10:duration=1"]
write("metadata.ts", metadata_stream())
ffmpeg(*picture, "-i", "metadata.ts", "-map", "0:v", "-map", "1", "-c:v", "mpeg2video", "-bf", "2", "-b:v", "20k",
       "-c:d", "copy", "-f", "mpegts", "-output_ts_offset", "100", "ffmpeg.ts")

ffmpeg(*picture, "-c:v", "mpeg4", "-b:v", "20k", "-video_track_timescale", "12800", "-movflags",
       "frag_keyframe+empty_moov+default_base_moof", "whole.mp4")
with open("whole.mp4", "rb") as file:
    # A hundred seconds into the presentation.
    written, begins = file.read(), b"tfdt\1\0\0\0"
    whole = list(boxes(written.replace(begins + bytes(8), begins + struct.pack(">Q", 100 * 12_800))))
write("ffmpeg-init.mp4", b"".join(data for name, data in whole if name in (b"ftyp", b"moov")))
messages = [
    message(1, "https://aomedia.org/emsg/ID3", 90_000, 100 * 90_000 + 45_000, tag("google_1-of-aom")),
    message(0, "https://developer.apple.com/streaming/emsg-id3", 1_000, 250, tag("google_2-of-apple")),
    message(1, "urn:google:dai:2018", 1_000, 100_900, b"google_3-as-it-is"),
    message(1, "urn:scte:scte35:2013:bin", 1_000, 100_000, b"\xfc\x30"),
]
write("ffmpeg-messages.m4s", b"".join(messages + [data for name, data in whole if name in (b"moof", b"mdat")]))
