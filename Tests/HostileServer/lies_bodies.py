"""Bodies of playlists and pods that are large, deep, or no playlists at all."""

import functools
import os
import re
import time

import honest
from table import lie

POD = "pod_manifest"
LARGE = ["body_too_large"]


def live(more, before=""):
    """A live media playlist with something in it besides."""
    edge = int(time.time())
    head = f"#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:{edge - 10}\n"
    segments = "".join(f"#EXTINF:1.0,\ns{number}.ts\n" for number in range(edge - 10, edge))
    return head + before + f"#EXT-X-PROGRAM-DATE-TIME:{honest.iso(edge - 10)}\n" + segments + more


def vod(segments):
    return ("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:0\n"
            + segments + "#EXT-X-ENDLIST\n")


def encoded(made):
    return made.encode() if isinstance(made, str) else made


def body(name, kind, does, make, outcomes=(), *, loose=True, group="playlists"):
    """Most of them break so many rules that which are found is not for this table to say."""
    kept = functools.cache(lambda: encoded(make()))

    async def act(exchange):
        return await exchange.whole(kept())
    lie(group, kind, outcomes, name=name, does=does, loose=loose)(act)


def moving(name, does, make, *, outcomes=(), group="playlists"):
    """A live playlist that is another one each second, so that it has to be read anew."""
    made = {}

    async def act(exchange):
        second = int(time.time())
        if second not in made:
            made.clear()
            made[second] = make(second).encode()
        return await exchange.whole(made[second])
    lie(group, "playlist", outcomes, name=name, does=does, loose=True)(act)


@functools.cache
def ranges(count):
    return "".join(
        f'#EXT-X-DATERANGE:ID="r{number}",START-DATE="2026-01-01T00:00:00.{number % 1000:03d}Z",DURATION=1.5\n'
        for number in range(count)
    )


@functools.cache
def repeated(line, count):
    return line * count


@functools.cache
def numbered(pattern, count):
    return "".join(pattern.format(number) for number in range(count))


body("playlist-of-a-million-segments", "playlist", "A million segments.",
     lambda: live(repeated("#EXTINF:1,\na\n", 1_000_000)), LARGE, loose=False, group="bodies")
moving("playlist-of-600000-segments", "As many segments as a playlist may hold, anew each second.",
       lambda second: live(repeated("#EXTINF:1,\na\n", 600_000)))
moving("playlist-of-110000-date-ranges", "More date ranges than a playlist may hold, anew each second.",
       lambda second: live("", ranges(110_000)), outcomes=LARGE, group="multivariant")
moving("playlist-of-50000-date-ranges", "50,000 date ranges, anew each second.",
       lambda second: live("", ranges(50_000)))
moving("playlist-of-200000-parts", "200,000 parts, anew each second.",
       lambda second: live(repeated('#EXT-X-PART:DURATION=0.3,URI="a"\n', 200_000),
                           "#EXT-X-PART-INF:PART-TARGET=0.33\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=1\n"))
moving("playlist-of-a-million-attributes", "A date range of a million attributes.",
       lambda second: live("", '#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z"'
                           + repeated(",X-A=1", 1_000_000) + "\n"))
moving("playlist-of-500000-names", "A date range of as many names of attributes as fit.",
       lambda second: live("", '#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z"'
                           + numbered(",X-{}=1", 500_000) + "\n"))
moving("playlist-of-200000-keys", "A key before each segment.",
       lambda second: live(repeated('#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\na\n', 200_000)))
moving("playlist-of-150000-maps", "A map before each segment.",
       lambda second: live(numbered('#EXT-X-MAP:URI="m{}"\n#EXTINF:1,\na\n', 150_000)))
moving("playlist-of-130000-dates", "A date before each segment.",
       lambda second: live(repeated("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXTINF:1,\na\n", 130_000)))
moving("playlist-of-230000-discontinuities", "A discontinuity before each segment.",
       lambda second: live(repeated("#EXT-X-DISCONTINUITY\n#EXTINF:1,\na\n", 230_000)))
moving("playlist-of-170000-cues", "A cue tag before each segment.",
       lambda second: live(repeated("#EXT-X-CUE-OUT:1\n#EXTINF:1,\na\n#EXT-X-CUE-IN\n", 170_000)))
moving("playlist-of-50000-interstitials", "50,000 interstitials.",
       lambda second: live("", numbered('#EXT-X-DATERANGE:ID="i{}",CLASS="com.apple.hls.interstitial",'
                                        'START-DATE="2026-01-01T00:00:00Z",DURATION=1,X-ASSET-URI="/a.m3u8"\n', 50_000)))
moving("playlist-of-one-id", "One id of 50,000 date ranges that contradict each other.",
       lambda second: live("", numbered('#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z",X-A="{}"\n', 80_000)))
moving("playlist-of-definitions", "A variable in each of 100,000 lines.",
       lambda second: live("", numbered('#EXT-X-DEFINE:NAME="v{}",VALUE="aaaaaaaaaa"\n', 100_000)))
moving("playlist-of-doubling-variables", "Each variable is the one before it, twice.",
       lambda second: live("{$v60}\n", '#EXT-X-DEFINE:NAME="v0",VALUE="aaaaaaaaaaaaaaaa"\n' + numbered(
           '#EXT-X-DEFINE:NAME="v{0}",VALUE="' + "{{$v{0}}}{{$v{0}}}" + '"\n', 60)))
moving("playlist-of-a-line", "A line of seven megabytes.", lambda second: live("#" + "a" * 7_000_000 + "\n"))
moving("playlist-of-an-address", "An address of seven megabytes.",
       lambda second: live("#EXTINF:1,\n" + "a" * 7_000_000 + "\n"))
moving("playlist-of-a-title", "A title of seven megabytes.", lambda second: live("#EXTINF:1," + "a" * 7_000_000 + "\na\n"))
moving("playlist-of-hexadecimals", "A splice of six megabytes.",
       lambda second: live("", '#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z",SCTE35-OUT=0x'
                           + "FC" * 3_000_000 + "\n"))
moving("playlist-of-empty-lines", "Eight million empty lines.", lambda second: live("\n" * 8_000_000))
moving("playlist-of-hashes", "Four million comments of one byte.", lambda second: live("#\n" * 4_000_000))
moving("playlist-of-quotes", "Quotes that never close.", lambda second: live('#EXT-X-MAP:URI="' + '",A="' * 1_000_000 + "\n"))
moving("playlist-of-hints", "200,000 hints of what comes.",
       lambda second: live(numbered('#EXT-X-PRELOAD-HINT:TYPE=PART,URI="{}"\n', 150_000)))
moving("playlist-of-reports", "100,000 reports of renditions.",
       lambda second: live(numbered('#EXT-X-RENDITION-REPORT:URI="{}",LAST-MSN=1\n', 150_000)))
moving("skip-of-billions", "A delta that leaves out four billion segments.",
       lambda second: live("", "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=6\n#EXT-X-SKIP:SKIPPED-SEGMENTS=4000000000\n"))

#: Told apart from the large ones, which keep a core for as long as a run lasts.
small = functools.partial(body, kind="playlist", group="small-playlists")
NONE = ["not_a_playlist"]
small(name="playlist-of-nothing", does="An empty body.", make=lambda: "")
small(name="playlist-of-random-bytes", does="Random bytes.", make=lambda: os.urandom(100_000))
small(name="playlist-of-nuls", does="A megabyte of NUL.", make=lambda: b"\0" * 1_000_000)
small(name="playlist-with-nuls", does="NUL within lines.", make=lambda: live("#EXTINF:1.0,\na\0b.ts\n"))
small(name="playlist-in-utf-16", does="UTF-16.", make=lambda: live("").encode("utf-16"))
small(name="playlist-with-a-byte-order-mark", does="A byte order mark.", make=lambda: b"\xef\xbb\xbf" + live("").encode())
small(name="playlist-in-latin-1", does="Bytes that are no UTF-8.", make=lambda: live("#EXTINF:1,\n\xe4\xff.ts\n").encode("latin-1"))
small(name="playlist-of-html", does="A page for people.", make=lambda: "<!DOCTYPE html><html><body>" + "<p>" * 50_000)
small(name="playlist-of-json", does="JSON where a playlist should be.", make=lambda: '{"a": ' * 10_000)
small(name="playlist-of-cr", does="Lines that end in CR.", make=lambda: live("").replace("\n", "\r"))
small(name="target-duration-past-numbers", does="A target duration of a hundred digits.",
      make=lambda: live("").replace("DURATION:1\n", "DURATION:" + "9" * 100 + "\n"))
small(name="target-duration-of-nought", does="A target duration of nought.",
      make=lambda: live("").replace("DURATION:1\n", "DURATION:0\n"))
small(name="target-duration-negative", does="A target duration below nought.",
      make=lambda: live("").replace("DURATION:1\n", "DURATION:-1\n"))
small(name="sequence-at-the-end-of-numbers", does="A media sequence at the end of 64 bits.",
      make=lambda: "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n" + "#EXTINF:1,\na\n" * 9)
small(name="sequence-past-numbers", does="A media sequence past 64 bits.",
      make=lambda: "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:18446744073709551616\n" + "#EXTINF:1,\na\n" * 9)
small(name="durations-that-are-none", does="Infinite and other durations.",
      make=lambda: live("".join(f"#EXTINF:{one},\na\n" for one in ("inf", "nan", "-1", "1e308", "1e999", "0x10", "9" * 400))))
small(name="durations-that-add-up-past-all", does="Durations whose sum no number holds.",
      make=lambda: live("#EXTINF:9223372036854775807,\na\n" * 1_000))
small(name="dates-past-all", does="Dates in no calendar.",
      make=lambda: live("".join(f"#EXT-X-PROGRAM-DATE-TIME:{one}\n#EXTINF:1,\na\n" for one in (
          "99999-01-01T00:00:00Z", "0000-00-00T00:00:00Z", "-1-1-1", "2026-02-30T25:61:61Z", "9999-12-31T23:59:59.999999999999Z"))))
small(name="byte-ranges-past-all", does="Byte ranges whose sums no number holds.",
      make=lambda: live("#EXT-X-BYTERANGE:18446744073709551615@18446744073709551615\n#EXTINF:1,\na\n" * 100))
small(name="playlist-of-another-kind", does="A multivariant playlist where a media playlist was.",
      make=lambda: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8\n")
small(name="segments-elsewhere", does="Segments at addresses that nobody may ask.",
      make=lambda: live("".join(f"#EXTINF:1,\n{one}\n" for one in (
          "file:///etc/passwd", "http://169.254.169.254/", "gopher://127.0.0.1/", "//unauthorised.invalid/", "http://[", "?")))
      )

multivariant = functools.partial(body, kind="multivariant", group="multivariant")
START = "#EXTM3U\n#EXT-X-VERSION:7\n"
multivariant(name="variants-100000", does="As many variants as fit.",
             make=lambda: START + numbered("#EXT-X-STREAM-INF:BANDWIDTH=1{}\nmedia.m3u8\n", 90_000))
multivariant(name="renditions-50000", does="As many renditions as fit.",
             make=lambda: START + numbered('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n{0}",URI="{0}.m3u8"\n', 50_000)
             + '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nmedia.m3u8\n')
multivariant(name="groups-40000", does="Each variant with a group of its own.",
             make=lambda: START + numbered('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a{0}",NAME="n",URI="m.m3u8"\n'
                                           '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a{0}"\nmedia.m3u8\n', 25_000))
multivariant(name="session-data-40000", does="Session data for ever.",
             make=lambda: START + numbered('#EXT-X-SESSION-DATA:DATA-ID="d{}",VALUE="v"\n', 80_000)
             + "#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8\n")
multivariant(name="codecs-of-megabytes", does="Codecs of three megabytes.",
             make=lambda: START + '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="' + "avc1.64001f," * 250_000 + '"\nmedia.m3u8\n')
multivariant(name="variant-that-is-itself", does="A variant that is the multivariant playlist.",
             make=lambda: START + "#EXT-X-STREAM-INF:BANDWIDTH=1\nmaster.m3u8\n")
multivariant(name="variant-of-a-megabyte", does="A variant's address of three megabytes.",
             make=lambda: START + "#EXT-X-STREAM-INF:BANDWIDTH=1\n" + "a" * 3_000_000 + "\n")
multivariant(name="multivariant-past-its-limit", does="Five megabytes of variants.",
             make=lambda: START + "#" * 5_000_000, outcomes=LARGE, loose=False, group="bodies")

pod = functools.partial(body, kind=POD, group="bodies")
pod(name="pod-of-100000-segments", does="A pod of a hundred thousand segments.",
    make=lambda: vod(numbered("#EXTINF:1,\n/a/s{}.ts\n", 100_000)), outcomes=LARGE, loose=False)
pod(name="pod-of-14000-segments", does="A pod of as many segments as fit.",
    make=lambda: vod(numbered("#EXTINF:1,\ns{}\n", 14_000)))
pod(name="pod-of-discontinuities", does="A pod of 5,000 ads.",
    make=lambda: vod(numbered("#EXT-X-DISCONTINUITY\n#EXTINF:1,\ns{}\n", 6_000)))
pod(name="pod-of-variants", does="A pod's manifest of 7,000 variants.",
    make=lambda: START + numbered("#EXT-X-STREAM-INF:BANDWIDTH=1{}\np{}.m3u8\n".replace("p{}", "pod"), 6_000))
pod(name="pod-that-is-itself", does="A pod's manifest that leads to itself.",
    make=lambda: START + "#EXT-X-STREAM-INF:BANDWIDTH=1\npod.m3u8\n")
pod(name="pod-of-nothing", does="An empty pod.", make=lambda: "")
pod(name="pod-without-segments", does="A pod without segments.", make=lambda: vod(""))
pod(name="pod-of-nought", does="Segments of no length.", make=lambda: vod("#EXTINF:0,\n/a/ad.ts\n" * 1_000))
pod(name="pod-that-is-live", does="A pod that never ends.", make=lambda: live(""))


@functools.cache
def tail():
    return numbered("#EXTINF:1,\ns{}\n", 14_000).encode() + b"#EXT-X-ENDLIST\n"


@lie("bodies", POD, loose=True)
async def pods_of_14000_segments_each_its_own(exchange):
    """Another pod of as many segments as fit for each viewer."""
    first = vod(f"#EXTINF:1,\n{os.urandom(8).hex()}\n").replace("#EXT-X-ENDLIST\n", "").encode()
    return await exchange.whole(first + tail())


@lie("multivariant", POD, loose=True, ads=True)
async def pod_of_9000_segments_of_the_right_length(exchange):
    """A pod as long as was asked for, in as many segments as fit, all of which are loaded."""
    asked = re.search(r"[?&]pd=(\d+)", exchange.path)
    return await exchange.whole(pod_of_length(int(asked[1]) if asked else 1_000))


@functools.cache
def pod_of_length(milliseconds):
    return vod(numbered(f"#EXTINF:{milliseconds / 9_000_000:.6f},\ns{{}}\n", 9_000)).encode()


@lie("time", "playlist", LARGE + ["total_timeout"])
async def playlist_without_end(exchange):
    """A live playlist that never ends."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "8\r\n#EXTM3U\n\r\n")
    await exchange.forever(b"10000\r\n" + b"#EXTINF:1,\na.ts\n" * 4_096 + b"\r\n")
