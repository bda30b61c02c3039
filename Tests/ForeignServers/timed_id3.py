"""Segments of MPEG-TS with timed ID3 metadata (Apple, "Timed Metadata for HTTP Live Streaming"), and next to no video."""

import struct

PROGRAM, VIDEO, METADATA = 0x100, 0x101, 0x102


def syncsafe(number):
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))


def tag(text):
    frame = b"\x03media id\0" + text.encode()
    frames = b"TXXX" + syncsafe(len(frame)) + b"\0\0" + frame
    return b"ID3\4\0\0" + syncsafe(len(frames)) + frames


def checksum(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = ((value << 1) ^ 0x04C11DB7) & 0xFFFFFFFF if value & 0x80000000 else value << 1
    return struct.pack(">I", value)


def section(table, extension, body):
    text = struct.pack(">BHHBBB", table, 0xB000 | (len(body) + 9), extension, 0xC1, 0, 0) + body
    return (b"\0" + text + checksum(text)).ljust(184, b"\xff")


def packets(identifier, data, counters):
    stream, is_first = b"", True
    while data:
        chunk, data = data[:184], data[184:]
        counter = counters[identifier] = counters.get(identifier, -1) + 1 & 15
        field = b""
        if len(chunk) < 184:
            rest = 184 - len(chunk)
            field = bytes([rest - 1]) + (b"\0" + b"\xff" * (rest - 2) if rest > 1 else b"")
        flags = (0x4000 if is_first else 0) | identifier
        stream += struct.pack(">BHB", 0x47, flags, (0x30 if field else 0x10) | counter) + field + chunk
        is_first = False
    return stream


def packet(stream_id, seconds, data):
    ticks = int(seconds * 90_000) & (1 << 33) - 1
    time = bytes([0x21 | (ticks >> 29 & 14), ticks >> 22 & 255, (ticks >> 14 & 254) | 1, ticks >> 7 & 255,
                  (ticks << 1 & 254) | 1])
    body = b"\x84\x80\x05" + time + data
    return b"\0\0\1" + bytes([stream_id]) + struct.pack(">H", len(body)) + body


def segment(begins, seconds, events):
    """The events are texts, each with its seconds after the segment's beginning."""
    descriptor = b"\x26\x0d\xff\xffID3 \xffID3 \xff\x00\x0f"
    streams = struct.pack(">HH", 0xE000 | VIDEO, 0xF000) + struct.pack(">BHH", 0x1B, 0xE000 | VIDEO, 0xF000)
    streams += struct.pack(">BHH", 0x15, 0xE000 | METADATA, 0xF000 | len(descriptor)) + descriptor
    counters = {}
    stream = packets(0, section(0, 1, struct.pack(">HH", 1, 0xE000 | PROGRAM)), counters)
    stream += packets(PROGRAM, section(2, 1, streams), counters)
    for frame in range(int(seconds * 10)):
        stream += packets(VIDEO, packet(0xE0, begins + frame / 10, b"\0\0\0\1\x09\xf0" + bytes(300)), counters)
        for at, text in events:
            if int(at * 10) == frame:
                stream += packets(METADATA, packet(0xBD, begins + at, tag(text)), counters)
    return stream
