"""Sections of SCTE 35, each with what threefive reads of it: `sections.py SEED COUNT`.

A line is the section in base64, a tab, and its fields as `Tests/TestSupport/SpliceFields.swift` writes them. Those of public
documents come first, then some that threefive writes, then random ones. Components of splice_insert and of segmentation
are left out: threefive does not read them.
"""

import base64
import contextlib
import io
import random
import sys

from threefive import Cue
from threefive.encode import mk_splice_insert, mk_splice_null, mk_time_signal

PUBLIC = """
/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==
/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=
/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g=
/DBIAAAAAAAA///wBQb+ek2ItgAyAhdDVUVJSAAAGH+fCAgAAAAALMvDRBEAAAIXQ1VFSUgAABl/nwgIAAAAACyk26AQAACZcuND
/DBhAAAAAAAA///wBQb+qM1E7QBLAhdDVUVJSAAArX+fCAgAAAAALLLXnTUCAAIXQ1VFSUgAACZ/nwgIAAAAACyy150RAAACF0NVRUlIAAAnf58ICAAAAAAsstezEAAAihiGnw==
/DAlAAAAAAAAAP/wFAUAAAABf+//wpiQkv4ARKogAAEBAQAAQ6sodg==
/DAnAAAAAAAAAP/wBQb+AA27oAARAg9DVUVJAAAAAX+HCQA0AAE0xUZn
/DAnAAAAAAAAAP/wBQb+ADbugAARAg9DVUVJAAAAAX+HCQA1AAA3v5+Q
/DAlAAAENOOQAP/wFAUBAABrf+//N25XDf4B9p/gAAEBAQAAxKni9A==
/DAqAAAAAyiYAP/wBQb/FuaKGAAUAhJDVUVJAAAFp3+/EQMCRgIMAQF7Ny4D
/DAvAAAAAAAAAP/wFAUAAAKWf+//4WoauH4BTFYgAAEAAAAKAAhDVUVJAAAAAOv1oqc=
/DAqAAAAAAAAAP/wDwUAAAKWf0//4rZw2AABAAAACgAIQ1VFSQAAAAAtegE5
/DAxAAAAAAAAAP/wFAUAAABdf+/+zHRtOn4Ae6DOAAAAAAAMAQpDVUVJsZ8xMjEqLYemJQ==
/DAsAAAAAAAAAP/wDwUAAABef0/+zPACTQAAAAAADAEKQ1VFSbGfMTIxIxGolm0=
/DA4AAAAAAAAAP/wBQb/rBnY4wAiAiBDVUVJcfQUJ3/fAACCdnAODDEzM180NDUxNzI5NTABAV2omD0=
/DA9AAAAAAAAAP/wBQb+uYbZqwAnAiVDVUVJAAAKqX//AAEjW4AMEU1EU05CMDAxMTMyMjE5M19ONAAAmXz5JA==
/DAxAAAAAAAAAP/wBQb+Cf4+XgAbAhlDVUVJAAAAAX//AAD3SLYOBTExMTExIgQTSTKHkA==
/DBfAAD6i73N///wBQb+mV9eNwBJAhxDVUVJpvr+m3//AAGHhoEICAAF3oCm+v6bNAIDAilDVUVJAAAAAH+/DBpWTU5VATrI4MzmGxHnv9QAJrlBTzABZTRfGAEAADd/IDU=
/DBbAAFFsYloAP/wBQb+kyuKZgBFAAhDVUVJAAAAAAI5Q1VFSQAABr9/2wABqbhgASM2YzkyZWRiLTVmNmUtNDdiNC05ZjE3LWIzOTljYTI4YjAxZDQAAAEBeJ8OvA==
/DAsAAAAAyiYAP/wCgUAAAABf1+ZmQEBABECD0NVRUkAAAAAf4ABADUAAC2XQZU=
""".split()


def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value


def section(kind, command, descriptors, adjustment, tier):
    rest = b"\0" + adjustment.to_bytes(5, "big") + b"\0"
    rest += (tier << 12 | len(command)).to_bytes(3, "big") + bytes([kind]) + command
    rest += len(descriptors).to_bytes(2, "big") + descriptors
    head = b"\xfc" + (0x3000 | len(rest) + 4).to_bytes(2, "big") + rest
    return head + crc(head).to_bytes(4, "big")


def time(some):
    if some.random() < 0.15:
        return b"\x7f"
    return (0xFE << 32 | some.getrandbits(33)).to_bytes(5, "big")


def insert(some):
    event = some.getrandbits(32).to_bytes(4, "big")
    if some.random() < 0.1:
        return event + b"\xff"
    out, length, at_once = (some.random() < 0.5 for _ in range(3))
    body = event + b"\x7f" + bytes([out << 7 | 0x40 | length << 5 | at_once << 4 | 0x0F])
    body += b"" if at_once else time(some)
    if length:
        body += (some.getrandbits(1) << 39 | 0x3F << 33 | some.getrandbits(some.choice([20, 26, 33]))).to_bytes(5, "big")
    return body + some.getrandbits(32).to_bytes(4, "big")


def segmentation(some):
    body = b"CUEI" + some.getrandbits(32).to_bytes(4, "big")
    if some.random() < 0.1:
        return b"\x02\x09" + body + b"\xff"
    length, free = some.random() < 0.6, some.random() < 0.5
    body += b"\x7f" + bytes([0x80 | length << 6 | (0x3F if free else some.getrandbits(5))])
    if length:
        body += some.getrandbits(some.choice([22, 28, 33])).to_bytes(5, "big")
    kind, size = some.choice([(0, 0), (8, 8), (9, 12), (15, 7), (16, 16), (3, 12)])
    text = bytes(some.choice(b"abcdefghijklmnop0123456789") for _ in range(size))
    body += bytes([kind, size]) + text
    body += bytes([some.choice(list(range(0x54)) + [0x22, 0x30, 0x34, 0x35, 0x36, 0x37]), some.getrandbits(8), some.getrandbits(8)])
    return bytes([2, len(body)]) + body


def other(some):
    kind = some.choice([0, 1, 3])
    if kind == 0:
        return b"\x00\x08CUEI" + some.getrandbits(32).to_bytes(4, "big")
    if kind == 1:
        return b"\x01\x0aCUEI\xb1\x9f121*"
    return b"\x03\x10CUEI" + some.getrandbits(96).to_bytes(12, "big")


def random_section(some):
    kind = some.choice([5, 5, 5, 6, 6, 6, 6, 6, 0, 7])
    command = insert(some) if kind == 5 else time(some) if kind == 6 else b""
    makers = [segmentation, segmentation, other] if kind == 6 else [other]
    descriptors = b"".join(some.choice(makers)(some) for _ in range(some.choice([0, 1, 1, 2, 3])))
    adjustment = some.choice([0, 0, some.getrandbits(33)])
    return section(kind, command, descriptors, adjustment, some.choice([0xFFF, 0, some.getrandbits(12)]))


def ticks(seconds):
    return "-" if seconds is None else str(round(seconds * 90000))


def command_fields(command):
    if command.command_type == 5:
        if command.splice_event_cancel_indicator:
            return f"insert {command.splice_event_id} cancelled"
        at = "once" if command.splice_immediate_flag else ticks(command.pts_time if command.time_specified_flag else None)
        length = ticks(command.break_duration if command.duration_flag else None)
        return (
            f"insert {command.splice_event_id} {'out' if command.out_of_network_indicator else 'in'} at {at} length {length}"
            f" {'returns' if command.break_auto_return else 'waits'} program {command.unique_program_id}"
            f" avail {command.avail_num}/{command.avails_expected}"
        )
    if command.command_type == 6:
        return f"time {ticks(command.pts_time if command.time_specified_flag else None)}"
    return f"command {command.command_type}"


def descriptor_fields(descriptor):
    if descriptor.tag != 2:
        return f"descriptor {descriptor.tag}"
    event = int(str(descriptor.segmentation_event_id), 16)
    if descriptor.segmentation_event_cancel_indicator:
        return f"segmentation {event} cancelled"
    length = ticks(descriptor.segmentation_duration if descriptor.segmentation_duration_flag else None)
    return (
        f"segmentation {event} type {descriptor.segmentation_type_id} length {length}"
        f" upid {descriptor.segmentation_upid_type}/{descriptor.segmentation_upid_length}"
        f" segment {descriptor.segment_num}/{descriptor.segments_expected}"
    )


def fields(text):
    cue = Cue(text)
    cue.decode()
    info = cue.info_section
    descriptors = sorted(cue.descriptors, key=lambda each: each.tag != 2)
    parts = [f"adjusted {ticks(info.pts_adjustment)} tier {int(str(info.tier), 16)}", command_fields(cue.command)]
    return "; ".join(parts + [descriptor_fields(each) for each in descriptors])


def main():
    some, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    texts = list(PUBLIC) + [mk_splice_null().encode(), mk_time_signal(some.random() * 90000).encode()]
    for number in range(20):
        at, length = some.choice([None, some.random() * 90000]), some.choice([None, some.random() * 300])
        texts.append(mk_splice_insert(number, at, length, out=number % 2 == 0).encode())
    texts += [base64.b64encode(random_section(some)).decode() for _ in range(count)]
    for text in texts:
        # It says on the way what it thinks of the input.
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            line = f"{text}\t{fields(text)}"
        # A line at a time: threefive writes to standard error as it pleases.
        print(line, flush=True)


if __name__ == "__main__":
    main()
