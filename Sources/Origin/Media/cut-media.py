#!/usr/bin/env python3
"""Cuts the clips of make-media.sh for channels with separate sound or with partial segments.

Writes Cut/{clip}-{tracks}-{pieces}.mp4: of each second so many fragments, each with the samples that begin in its time.
Reads only the form of make-media.sh: one run per track, sizes per sample, all else by default (ISO/IEC 14496-12).
"""
import pathlib
import struct

SECONDS = 8
HANDLERS = {"all": (b"vide", b"soun"), "video": (b"vide",), "audio": (b"soun",)}


def boxes(data):
    at = 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8 : at + size], data[at : at + size]
        at += size


def box(kind, content):
    return struct.pack(">I4s", len(content) + 8, kind) + content


def only(data, *path):
    for kind in path:
        data = next(content for name, content, _ in boxes(data) if name == kind)
    return data


def movie(content, kept):
    """The moov box with the tracks in `kept` (track number to timescale)."""
    output = b""
    for kind, part, whole in boxes(content):
        if kind == b"trak" and struct.unpack_from(">I", only(part, b"tkhd"), 12)[0] not in kept:
            continue
        if kind == b"mvex":
            extends = [w for k, c, w in boxes(part) if k != b"trex" or struct.unpack_from(">I", c, 4)[0] in kept]
            whole = box(b"mvex", b"".join(extends))
        output += whole
    return box(b"moov", output)


class Run:
    """The samples of one track in one fragment; offsets count from the moof."""

    def __init__(self, traf, fragment):
        self.header = next(whole for kind, _, whole in boxes(traf) if kind == b"tfhd")
        flags, self.track, self.duration = struct.unpack_from(">III", self.header, 8)
        assert flags == 0x020038
        self.start = struct.unpack_from(">Q", only(traf, b"tfdt"), 4)[0]
        run = only(traf, b"trun")
        flags, count, at = struct.unpack_from(">III", run)
        assert flags & ~4 == 0x201
        self.first_flags = run[12:16] if flags & 4 else b""
        self.samples = []
        for size in struct.unpack_from(f">{count}I", run, 12 + len(self.first_flags)):
            self.samples.append(fragment[at : at + size])
            at += size

    def piece(self, number, pieces, timescale):
        """A second's first piece also has earlier samples of its fragment, its last one has later ones."""
        first = 0 if number % pieces == 0 else number * timescale // pieces
        end = float("inf") if number % pieces == pieces - 1 else (number + 1) * timescale // pieces
        times = [self.start + place * self.duration for place in range(len(self.samples))]
        chosen = [place for place, time in enumerate(times) if first <= time < end]
        flags = self.first_flags if chosen[0] == 0 else b""
        return self.header, times[chosen[0]], flags, [self.samples[place] for place in chosen]


def fragment(runs):
    data_offset = 8 + 16 + 8 + sum(8 + len(h) + 20 + 20 + 4 * len(s) + len(f) for h, _, f, s in runs)
    content = box(b"mfhd", bytes(8))
    for header, start, flags, samples in runs:
        run = struct.pack(">III", 0x201 | (4 if flags else 0), len(samples), data_offset) + flags
        run += b"".join(struct.pack(">I", len(sample)) for sample in samples)
        data_offset += sum(map(len, samples))
        time = box(b"tfdt", struct.pack(">IQ", 1 << 24, start))
        content += box(b"traf", header + time + box(b"trun", run))
    return box(b"moof", content) + box(b"mdat", b"".join(sample for *_, samples in runs for sample in samples))


def cut(clip, tracks, pieces):
    whole = {}
    fragments = []
    for kind, content, bytes_ in boxes(clip):
        if kind == b"moof":
            fragments.append((content, bytes_))
        elif kind == b"mdat":
            fragments[-1] = (fragments[-1][0], fragments[-1][1] + bytes_)
        else:
            whole[kind] = (content, bytes_)
    kept = {}
    for kind, part, _ in boxes(whole[b"moov"][0]):
        if kind == b"trak" and only(part, b"mdia", b"hdlr")[8:12] in HANDLERS[tracks]:
            number = struct.unpack_from(">I", only(part, b"tkhd"), 12)[0]
            kept[number] = struct.unpack_from(">I", only(part, b"mdia", b"mdhd"), 12)[0]
    output = whole[b"ftyp"][1] + movie(whole[b"moov"][0], kept)
    assert len(fragments) == SECONDS
    for second, (moof, bytes_) in enumerate(fragments):
        runs = [Run(content, bytes_) for kind, content, _ in boxes(moof) if kind == b"traf"]
        runs = [run for run in runs if run.track in kept]
        for piece in range(second * pieces, (second + 1) * pieces):
            output += fragment([run.piece(piece, pieces, kept[run.track]) for run in runs])
    return output


folder = pathlib.Path(__file__).parent
for name in ["live-360p", "live-180p", "ad-360p", "ad-180p"]:
    for tracks in HANDLERS:
        for pieces in [1, 2, 4]:
            # Sound is the same in both sizes.
            if (tracks, pieces) != ("all", 1) and (tracks != "audio" or name.endswith("180p")):
                (folder / "Cut" / f"{name}-{tracks}-{pieces}.mp4").write_bytes(
                    cut((folder / f"{name}.mp4").read_bytes(), tracks, pieces)
                )
