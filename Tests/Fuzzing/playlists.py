"""Lints a folder of playlists of anybody's, such as the samples of players and parsers:

    playlists.py PODSWARM FOLDER                      each file: no crash, and an answer within a second
    playlists.py PODSWARM FOLDER --older PODSWARM     and what the older one did not find above advice
    playlists.py PODSWARM FOLDER --lawful 1500        changed lawfully: nothing above advice comes with the change
    playlists.py PODSWARM FOLDER --mutants 3000       damaged: no crash

Ends with status 1 where something is to be looked at. The files stay where they are: keep none of others' here.
"""

import argparse, base64, collections, datetime, json, os, random, re, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor

SCALE = ["advice", "suspect", "wrong", "broken"]

def lint(program, path):
    """The findings of a file: code to severity and places; None after a crash."""
    begun = time.monotonic()
    command = [program, "lint", path, "--severity", "advice", "--format", "json"]
    try: run = subprocess.run(command, capture_output=True, timeout=20)
    except subprocess.TimeoutExpired: return None, 20
    took = time.monotonic() - begun
    if run.returncode not in (0, 1): return None, took
    found = {}
    for finding in json.loads(run.stdout)["findings"]:
        places = [place for seen in finding["occurrences"] for place in [seen["first"], *seen["others"]]]
        found[finding["code"]] = (SCALE.index(finding["severity"]), places)
    return found, took

def heavy(found): return {code for code, (severity, _) in found.items() if severity}

# Lawful changes

def lines_of(text): return text.replace("\r", "").rstrip("\n").split("\n")

def segments(lines):
    """Lines by segment, each group ending with its URI, and what follows the last one."""
    groups, group = [], []
    for line in lines:
        group.append(line)
        if line and not line.startswith("#"): groups, group = [*groups, group], []
    return groups, group

REMARKS = ["# a remark", "## written by hand", "#EXT-X-EXAMPLE-OTHER:BAR=1,BAZ=\"q\"", "#EXTVLCOPT:network-caching=1000"]

def with_remarks(lines, chance):
    out = lines[:1]
    for line in lines[1:]:
        if chance.random() < 0.4 and not out[-1].startswith("#EXT-X-STREAM-INF"): out.append(chance.choice(REMARKS))
        out.append(line)
    return out

def with_attributes_shuffled(lines, chance):
    def shuffled(line):
        if not re.match(r"#EXT-X-(DATERANGE|STREAM-INF|MEDIA|KEY|MAP|PART|SERVER-CONTROL|START):", line): return line
        name, values = line.split(":", 1)
        parts = re.findall(r'\s*([A-Z0-9-]+=(?:"[^"]*"|[^,"]*))(?:,|$)', values)
        if ",".join(parts) != values.strip(): return line
        chance.shuffle(parts)
        return f"{name}:{','.join(parts)}"
    return [shuffled(line) for line in lines]

ORDERED = re.compile(r"#EXT-X-(KEY|MAP|PART|DATERANGE|CUE|SCTE35|SPLICE|ENDLIST|SKIP|MEDIA-S|DISCONTINUITY-S)|#EXT-OATCLS")

def with_tags_shuffled(lines, chance):
    groups, rest = segments(lines)
    for group in groups[1:]:
        tags = group[:-1]
        if any(ORDERED.match(tag) for tag in tags): continue
        chance.shuffle(tags)
        group[:-1] = tags
    return [line for group in groups for line in group] + rest

# A break among the segments, in each dialect

def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8): value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value.to_bytes(4, "big")

def section(kind, seconds, is_out):
    """A splice_info_section: a splice_insert, or a time_signal with a segmentation of the kind."""
    ticks = int(seconds * 90000)
    if kind is None:
        command = b"\0\0\0\x09\x7f" + bytes([0xEF if is_out else 0x4F]) + b"\xfe\0\x08\x3d\x60"
        command += (0xFE00000000 | ticks).to_bytes(5, "big") * is_out + b"\0\1\0\0"
        number, descriptors = 5, b""
    else:
        body = b"CUEI\0\0\0\x0a\x7f" + bytes([0xFF if is_out else 0xBF]) + ticks.to_bytes(5, "big") * is_out
        body += b"\x08\x08\0\0\0\0\x2c\xa0\xa1\x8a" + bytes([kind if is_out else kind + 1]) + b"\2\0"
        command, number, descriptors = b"\xfe\0\x08\x3d\x60", 6, b"\2" + bytes([len(body)]) + body
    rest = b"\0" * 7 + b"\xff\xf0" + bytes([len(command), number]) + command
    rest += len(descriptors).to_bytes(2, "big") + descriptors
    whole = b"\xfc" + (0x3000 | len(rest) + 4).to_bytes(2, "big") + rest
    return whole + crc(whole)

def dialects(length, real, start, kind):
    """The tags of a break by dialect: at its begin, in each later segment, at its end."""
    out, back = section(kind, float(length), True), section(kind, float(length), False)
    base, end = base64.b64encode(out).decode(), base64.b64encode(back).decode()
    nothing = lambda elapsed: []
    yield [f"#EXT-X-CUE-OUT:{length}"], nothing, ["#EXT-X-CUE-IN"]
    yield ["#EXT-X-CUE-OUT"], nothing, ["#EXT-X-CUE-IN"]
    yield ([f"#EXT-X-CUE-OUT:DURATION={length}"],
           lambda at: [f"#EXT-X-CUE-OUT-CONT:ElapsedTime={at:.3f},Duration={length}"], ["#EXT-X-CUE-IN"])
    yield ([f"#EXT-X-CUE-OUT:{length}"], lambda at: [f"#EXT-X-CUE-OUT-CONT:{at:.3f}/{length}"],
           [f"#EXT-X-CUE-IN:DURATION={real:.3f}"])
    yield ([f"#EXT-OATCLS-SCTE35:{base}", "#EXT-X-ASSET:CAID=0x20FB6501", f"#EXT-X-CUE-OUT:{length}"],
           lambda at: [f"#EXT-X-CUE-OUT-CONT:ElapsedTime={at:.3f},Duration={length},SCTE35={base}"], ["#EXT-X-CUE-IN"])
    yield ([f'#EXT-X-SCTE35:CUE="{base}",ID="a",TIME=12.3,CUE-OUT=YES'],
           lambda at: [f'#EXT-X-SCTE35:CUE="{base}",ID="a",TIME=12.3,ELAPSED={at:.3f},CUE-OUT=CONT'],
           [f'#EXT-X-SCTE35:CUE="{end}",ID="a",TIME=12.3,CUE-IN=YES'])
    yield ([f'#EXT-X-CUE:TYPE="SpliceOut",ID="7",TIME=100.5,DURATION={length}'],
           lambda at: [f'#EXT-X-CUE:TYPE="SpliceOut",ID="7",TIME=100.5,DURATION={length},ELAPSED={at:.3f}'],
           ['#EXT-X-CUE:TYPE="SpliceIn",ID="7",TIME=100.5'])
    yield [f"#EXT-X-SPLICEPOINT-SCTE35:{base}"], nothing, [f"#EXT-X-SPLICEPOINT-SCTE35:{end}"]
    yield ([f"#EXT-X-CUE-OUT:{length}", f"#EXT-X-CUE-OUT:DURATION={length},BREAKID=4"], nothing, ["#EXT-X-CUE-IN"])
    if start:
        head = f'#EXT-X-DATERANGE:ID="splice-9",START-DATE="{start.isoformat()}",PLANNED-DURATION={length}'
        head += f",SCTE35-OUT=0x{out.hex()}"
        yield [head], nothing, [f"{head},SCTE35-IN=0x{back.hex()},DURATION={real:.3f}"]

def begin_of(groups, lengths, index):
    """The date at which a segment begins; None where a discontinuity lies between it and the date before."""
    date = None
    for number, group in enumerate(groups[:index + 1]):
        for line in group:
            if line == "#EXT-X-DISCONTINUITY": date = None
            if line.startswith("#EXT-X-PROGRAM-DATE-TIME:"):
                text = line.split(":", 1)[1].replace("Z", "+00:00")
                date = datetime.datetime.fromisoformat(re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", text))
        if date and number < index: date += datetime.timedelta(seconds=lengths[number])
    return date if date and date.tzinfo else None

def with_a_break(lines, chance):
    groups, rest = segments(lines)
    if len(groups) < 5 or re.search("CUE|SCTE35|OATCLS|EXT-X-SKIP|EXT-X-PART|I-FRAMES", "\n".join(lines)): return None
    lengths = [float(re.split("[:,]", line)[1]) for group in groups for line in group if line.startswith("#EXTINF:")]
    if len(lengths) != len(groups): return None
    begin = chance.randrange(1, len(groups) - 3)
    end = chance.randrange(begin + 1, len(groups) - 1)
    real = sum(lengths[begin:end])
    length = chance.choice([f"{real:.3f}", str(round(real) or 1), f"{real + 0.4:.3f}"])
    kind = chance.choice([None, 0x22, 0x30, 0x32, 0x34, 0x36, 0x3A, 0x44])
    first, later, last = chance.choice(list(dialects(length, real, begin_of(groups, lengths, begin), kind)))
    cut = ["#EXT-X-DISCONTINUITY"] if chance.random() < 0.5 else []
    def put(group, tags): return group[:(place := chance.choice([0, len(group) - 1]))] + tags + group[place:]
    edges = {begin: first, end: last}
    for number, tags in edges.items():
        new = [] if "#EXT-X-DISCONTINUITY" in groups[number] else cut
        groups[number] = put(groups[number], chance.choice([new + tags, tags + new]))
    elapsed = lengths[begin]
    for number in range(begin + 1, end):
        groups[number] = put(groups[number], later(elapsed))
        elapsed += lengths[number]
    return [line for group in groups for line in group] + rest

def changed(text, chance):
    lines = lines_of(text)
    ways = [with_remarks, with_attributes_shuffled, with_tags_shuffled, with_a_break, with_a_break, with_a_break]
    lines = chance.choice(ways)(lines, chance)
    if lines is None: return None
    return chance.choice(["\n", "\r\n", "\n\n"]).join(lines) + chance.choice(["", "\n"])

# Damage

NUMBERS = [b"0", b"-1", b"1e300", b"0.0000001", b"9223372036854775807", b"18446744073709551616", b"nan", b""]

def damaged(data, pool, chance):
    lines = data.split(b"\n")
    for _ in range(chance.choice([1, 1, 2, 3, 6])):
        if not lines: break
        at, way = chance.randrange(len(lines)), chance.randrange(8)
        line = lines[at]
        if way == 0: del lines[at]
        elif way == 1: lines.insert(at, line)
        elif way == 2: other = chance.randrange(len(lines)); lines[at], lines[other] = lines[other], line
        elif way == 3: lines[at] = line[:chance.randrange(len(line) + 1)]
        elif way == 4: lines[at] = re.sub(rb"\d", lambda _: b"%d" % chance.randrange(10), line)
        elif way == 5: lines[at] = re.sub(rb"\d+(\.\d+)?", lambda _: chance.choice(NUMBERS), line, count=1)
        elif way == 6: lines[at:at] = chance.choices(pool, k=chance.randrange(1, 20))
        elif line:
            byte = chance.randrange(len(line))
            lines[at] = line[:byte] + bytes([chance.randrange(256)]) + line[byte + 1:]
    return b"\n".join(lines)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("podswarm"); parser.add_argument("folder"); parser.add_argument("--older")
    for name in ("lawful", "mutants", "seed"): parser.add_argument(f"--{name}", type=int, default=0)
    options = parser.parse_args()
    chance, counts = random.Random(options.seed), collections.Counter()
    files = sorted(os.path.join(root, name) for root, _, names in os.walk(options.folder) for name in names)
    files = [path for path in files if open(path, "rb").read(16).lstrip(b"\xef\xbb\xbf \r\n").startswith(b"#EXTM3U")]

    def tell(what, path, found=None, codes=()):
        counts[what] += 1
        print(what, path)
        for code in sorted(codes):
            severity, places = found[code]
            lines = (f"{place.get('line')}: {place.get('expected')}" for place in places[:2])
            print("   ", SCALE[severity], code, *lines, sep="  ")

    def known(path):
        found, took = lint(options.podswarm, path)
        before = lint(options.older, path)[0] if options.older else None
        return path, found, took, before
    with ThreadPoolExecutor(os.cpu_count()) as pool: answers = list(pool.map(known, files))
    for path, found, took, before in answers:
        counts["files"] += 1
        if found is None: tell("crash", path)
        elif took > 1: tell("slow", path)
        elif before is not None:
            if codes := {code for code in heavy(found) if code not in before or before[code][0] < found[code][0]}:
                tell("newly found", path, found, codes)

    with tempfile.TemporaryDirectory() as folder:
        def tried(number, path, data):
            place = os.path.join(folder, f"{number}.m3u8")
            with open(place, "wb") as file: file.write(data)
            return path, data, lint(options.podswarm, place)
        def try_all(cases):
            with ThreadPoolExecutor(os.cpu_count()) as pool: return list(pool.map(lambda case: tried(*case), cases))
        def keep(what, data, *rest):
            with tempfile.NamedTemporaryFile(prefix="podswarm-", suffix=".m3u8", delete=False) as file: file.write(data)
            tell(what, file.name, *rest)

        sources, cases, tries = {path: found for path, found, *_ in answers if found and len(heavy(found)) < 3}, [], 0
        while sources and len(cases) < options.lawful and (tries := tries + 1) < 20 * options.lawful:
            path = chance.choice(list(sources))
            try: text = changed(open(path, encoding="utf8", newline="").read(), chance)
            except (ValueError, IndexError): continue
            if text: cases.append((len(cases), path, text.encode()))
        for path, data, (found, _) in try_all(cases):
            counts["lawful"] += 1
            if found is None: keep("crash", data)
            elif codes := heavy(found) - heavy(sources[path]):
                keep(f"found after a lawful change of {path}:", data, found, codes)

        pool = [line for path in files for line in open(path, "rb").read().split(b"\n") if line.startswith(b"#EXT")]
        cases = [(number, path, damaged(open(path, "rb").read(), pool, chance))
                 for number, path in enumerate(chance.choices(files, k=options.mutants))] if files else []
        for path, data, (found, _) in try_all(cases):
            counts["mutants"] += 1
            if found is None: keep("crash", data)
    print(*(f"{count} {name}" for name, count in counts.items()), sep="; ")
    return any(name not in ("files", "lawful", "mutants") for name in counts)

sys.exit(main())
