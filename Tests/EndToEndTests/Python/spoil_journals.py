"""Writes spoilt copies of a journal: framed anew, so that checksums hold, where the damage is not in the frame.

usage: spoil_journals.py JOURNAL FOLDER DAMAGE[,DAMAGE...] COUNT
"""
import json, os, random, re, sys, zlib

journal, folder, names, count = sys.argv[1], sys.argv[2], sys.argv[3].split(","), int(sys.argv[4])
with open(journal, "rb") as file: whole = file.read()
records = [(line[9:10], line[11:]) for line in whole.splitlines()]
chance = random.Random(4)
HOSTILE = "\x1b[31m\x1b]0;owned\x07\x9b31m\r\n<script>alert(1)</script>|`=cmd\u202e\u2028\x00\"'\\../../x"

def framed(records):
    out, checksum = b"", 0
    for kind, payload in records:
        covered = b"%s %s\n" % (kind, payload)
        checksum = zlib.crc32(covered, checksum)
        out += b"%08x " % checksum + covered
    return out

def changed(payload, change):
    return json.dumps(change(json.loads(payload)), separators=(",", ":")).encode()

def texts(value, depth=0):
    if isinstance(value, dict):
        return {key: value[key] if key in ("schema", "podswarm_version", "schema_version") else texts(value[key]) for key in value}
    if isinstance(value, list): return [texts(each) for each in value]
    return HOSTILE + value if isinstance(value, str) and chance.random() < 0.3 else value

NUMBERS = ["9223372036854775807", "-9223372036854775808", "0", "-1", "18446744073709551615", "1e308", "0.5", "1e-300"]

def spoilt(name):
    own = list(records)
    place = chance.randrange(len(own))
    if name == "cut": return whole[:chance.randrange(len(whole))]
    if name == "cut-head": return framed(own[:place]) + framed(own)[:0] + whole[:chance.randrange(20)]
    if name == "flipped":
        out = bytearray(whole)
        for _ in range(chance.randrange(1, 5)): out[chance.randrange(len(out))] = chance.randrange(256)
        return bytes(out)
    if name == "swapped":
        lines = whole.splitlines(keepends=True)
        other = chance.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
        return b"".join(lines) if place != other else whole[:-1]
    if name == "reordered":
        chance.shuffle(own)
        return framed(own)
    if name == "checksum":
        lines = whole.splitlines(keepends=True)
        lines[place] = chance.choice([b"00000000", b"ffffffff", b"0000000g", b""]) + lines[place][8:]
        return b"".join(lines)
    if name == "version":
        wrong = {"podswarm_version": HOSTILE + "9.9", "schema_version": chance.choice([0, 1, 3, -1, 2**62])}
        own[0] = (b"H", changed(own[0][1], lambda header: header | wrong))
        return framed(own)
    if name == "schema":
        own[0] = (b"H", changed(own[0][1], lambda header: header | {"schema": "podswarm.journal" + HOSTILE}))
        return framed(own)
    if name == "texts": return framed([(kind, changed(payload, texts)) for kind, payload in own])
    if name == "garbage":
        bad = [b"", b"{}", b"[]", b"nul", b"\xff\xfe\x00", b"[" * 5000, b'{"n":' + b"9" * 4000 + b"}", b'"' + HOSTILE.encode() + b'"']
        own[max(1, place)] = (own[max(1, place)][0], chance.choice(bad).replace(b"\n", b" "))
        return framed(own)
    if name == "dropped":
        del own[place]
        return framed(own)
    numbers = lambda payload: re.sub(
        rb"(?<=:)-?[0-9][0-9.]*(?=[,}])",
        lambda found: chance.choice(NUMBERS).encode() if chance.random() < 0.05 else found[0], payload)
    return framed([own[0]] + [(kind, numbers(payload)) for kind, payload in own[1:]])

for number in range(count):
    name = names[number % len(names)]
    with open(os.path.join(folder, f"{name}-{number}.journal"), "wb") as file: file.write(spoilt(name))
