"""Lies in JSON: registrations, metadata, asset lists, steering."""

import functools
import json

from table import lie

LARGE = ["body_too_large"]
DEEP = 500
MEGABYTE = b"a" * 1_000_000


def document(name, kind, does, make, outcomes=(), *, loose=True, group=None):
    """`make` is given the true answer as a dictionary."""
    made = {}

    async def act(exchange):
        true = json.loads(exchange.body())
        if kind == "registration":
            # Each viewer has its own.
            return await exchange.whole(make(true), status="201 Created")
        if name not in made:
            text = make(true)
            made[name] = text.encode() if isinstance(text, str) else text
        return await exchange.whole(made[name])
    lie(group or ("registrations" if kind == "registration" else "json"), kind, outcomes, name=name, does=does, loose=loose)(act)


def beside(true, more):
    """The true answer with something more in it."""
    return json.dumps(true)[:-1] + ', "more": ' + more + "}"


@functools.cache
def wide(kind, count):
    return {
        "arrays": "[" + "[]," * (count - 1) + "[]]",
        "numbers": "[" + "1," * (count - 1) + "1]",
        "objects": "[" + "{}," * (count - 1) + "{}]",
        "members": "{" + ",".join(f'"m{number}":1' for number in range(count)) + "}",
        "same": "{" + ",".join('"a":1' for _ in range(count)) + "}",
    }[kind]


R = "registration"
for what, count in (("arrays", 320_000), ("numbers", 500_000), ("objects", 320_000), ("members", 80_000), ("same", 160_000)):
    document(f"registration-wide-{what}", R, f"A megabyte of {what} beside the session.",
             functools.partial(lambda true, what, count: beside(true, wide(what, count)), what=what, count=count))
document("registration-deep", R, "Arrays in arrays, 500 deep.", lambda true: beside(true, "[" * DEEP + "]" * DEEP))
document("registration-deep-and-many", R, "Arrays 500 deep, a thousand times.",
         lambda true: beside(true, "[" + ("[" * DEEP + "]" * DEEP + ",") * 900 + "1]"))
document("registration-deep-past-all", R, "Half a million arrays in each other.",
         lambda true: beside(true, "[" * 250_000 + "]" * 250_000))
document("registration-open", R, "Arrays that never close.", lambda true: "[" * 500_000)
document("registration-id-of-a-megabyte", R, "An id of a megabyte.",
         lambda true: json.dumps(true | {"stream_id": true["stream_id"] + "a" * 1_000_000}))
document("registration-id-of-nothing", R, "An empty id.", lambda true: json.dumps(true | {"stream_id": ""}))
document("registration-id-of-another-kind", R, "An id that is an object.", lambda true: json.dumps(true | {"stream_id": {}}))
document("registration-id-with-line-ends", R, "Line ends in an id.",
         lambda true: json.dumps(true | {"stream_id": true["stream_id"] + "\r\nX-A: b\r\n\r\n"}))
document("registration-id-with-controls", R, "NUL and escapes in an id.",
         lambda true: json.dumps(true | {"stream_id": true["stream_id"] + "\0\x1b[2J"}))
document("registration-id-with-slashes", R, "A path in an id.",
         lambda true: json.dumps(true | {"stream_id": "../../../" + true["stream_id"]}))
document("registration-id-of-half-a-character", R, "Half of a pair of surrogates.",
         lambda true: json.dumps(true).replace(true["stream_id"], true["stream_id"] + "\\ud800"))
document("registration-numbers-past-all", R, "Numbers of any length.",
         lambda true: beside(true, "[" + ",".join(["9" * 10_000, "1e999999999", "-1e-999999999", "0." + "0" * 10_000 + "1"]) + "]"))
document("registration-polling-of-nought", R, "Poll metadata every nought seconds.",
         lambda true: json.dumps(true | {"polling_frequency": 0}))
document("registration-polling-of-no-time", R, "Poll metadata a billion times a second.",
         lambda true: json.dumps(true | {"polling_frequency": 1e-9}))
document("registration-polling-negative", R, "Poll metadata before it was polled.",
         lambda true: json.dumps(true | {"polling_frequency": -1e300}))
document("registration-polling-for-ever", R, "Poll metadata never again.",
         lambda true: json.dumps(true | {"polling_frequency": 1e308}))
document("registration-valid-for-ever", R, "A session of any length.",
         lambda true: json.dumps(true | {"valid_for": "9" * 300 + "h"}))
document("registration-valid-for-nothing", R, "A session that is over.", lambda true: json.dumps(true | {"valid_for": "0s"}))
document("registration-valid-for-nonsense", R, "A session of nonsense.",
         lambda true: json.dumps(true | {"valid_for": "-h-m-s", "valid_until": "yesterday"}))
document("registration-metadata-in-a-file", R, "Metadata in a file of the machine.",
         lambda true: json.dumps(true | {"metadata_url": "file:///etc/passwd"}))
document("registration-metadata-elsewhere", R, "Metadata on another port of loopback.",
         lambda true: json.dumps(true | {"metadata_url": "http://127.0.0.1:9/", "media_verification_url": "http://10.0.0.1/"}))
document("registration-metadata-of-a-megabyte", R, "An address of a megabyte.",
         lambda true: json.dumps(true | {"metadata_url": true["metadata_url"] + "?" + "a" * 900_000}))
document("registration-of-nothing", R, "An empty body.", lambda true: "")
document("registration-of-null", R, "null.", lambda true: "null")
document("registration-of-a-list", R, "An array.", lambda true: "[]")
document("registration-of-html", R, "A page for people.", lambda true: "<html>")
document("registration-cut", R, "Half of an object.", lambda true: json.dumps(true)[:80])
document("registration-in-utf-16", R, "UTF-16.", lambda true: json.dumps(true).encode("utf-16"))
document("registration-with-rubbish-behind", R, "An object and more.", lambda true: json.dumps(true) + "}}}")
document("registration-twice-the-id", R, "Two ids under one name.",
         lambda true: json.dumps(true)[:-1] + ', "stream_id": "other"}')
document("registration-escapes", R, "A megabyte of escapes.", lambda true: beside(true, '"' + "\\u0000" * 160_000 + '"'))


@lie("bodies", R, LARGE, name="registration-of-50-megabytes")
async def fifty_megabytes(exchange):
    """Fifty megabytes."""
    start, rest = json.dumps(json.loads(exchange.body()))[:-1] + ', "more": "', '"}'
    length = len(start) + 50 * len(MEGABYTE) + len(rest)
    # In pieces: a server that first makes the whole of it is late with the first byte.
    await exchange.send(exchange.head(f"Content-Length: {length}", status="201 Created"), start)
    for _ in range(50):
        await exchange.send(MEGABYTE)
    await exchange.send(rest)


@lie("framing", R, LARGE + ["total_timeout"])
async def registration_without_end(exchange):
    """A registration that never ends."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "1\r\n[\r\n")
    await exchange.forever(b"10000\r\n" + b"[],[]," * 10_922 + b"[]  " + b"\r\n")


M = "metadata"


def tags(true, count):
    pods = list(true["ad_breaks"]) or ["none"]
    ads = {f"{pods[0]}-{number % 50}": {"ad_break_id": pods[0], "seq": number % 50, "duration": 1.0, "slate": False}
           for number in range(50)}
    made = {f"tag-{number}": {"ad": f"{pods[0]}-{number % 50}", "ad_break_id": pods[0], "type": "progress"}
            for number in range(count)}
    return json.dumps({"tags": made, "ads": ads, "ad_breaks": true["ad_breaks"]})


document("metadata-of-20000-tags", M, "20,000 tags.", lambda true: tags(true, 20_000))
document("metadata-of-40000-tags", M, "As many tags as fit.", lambda true: tags(true, 45_000))
document("metadata-of-ads", M, "20,000 ads without tags.", lambda true: json.dumps(true | {"ads": {
    f"a{number}": {"ad_break_id": "x", "seq": number, "duration": 1.0, "slate": False} for number in range(40_000)}}))
document("metadata-of-breaks", M, "40,000 breaks.", lambda true: json.dumps(true | {"ad_breaks": {
    f"b{number}": {"type": "mid", "duration": 1.0, "ads": 1} for number in range(60_000)}}))
document("metadata-of-members", M, "300,000 members.", lambda true: beside(true, wide("members", 300_000)))
document("metadata-deep", M, "Arrays 500 deep, many times.",
         lambda true: beside(true, "[" + ("[" * DEEP + "]" * DEEP + ",") * 4_000 + "1]"))
document("metadata-tag-of-a-megabyte", M, "An id of three megabytes.",
         lambda true: json.dumps(true | {"tags": {"t" * 3_000_000: {"ad": "a", "ad_break_id": "b", "type": "start"}}}))
document("metadata-of-nothing", M, "An empty body.", lambda true: "")
document("metadata-of-another-kind", M, "Arrays where objects should be.",
         lambda true: '{"tags": [], "ads": 1, "ad_breaks": "x"}')
document("metadata-past-its-limit", M, "Five megabytes.", lambda true: beside(true, '"' + "a" * 5_000_000 + '"'), LARGE,
         loose=False, group="bodies")

A = "asset_list"


def assets(count, uri="/asset-list-of-assets/asset.m3u8", more=""):
    one = f'{{"URI": "{uri}", "DURATION": 1.0{more}}}'
    return '{"ASSETS": [' + ",".join([one] * count) + "]}"


document("asset-list-of-50-megabytes", A, "An asset list of fifty megabytes.", lambda true: assets(1_000_000), LARGE,
         loose=False)
document("asset-list-of-1000-assets", A, "A thousand assets.", lambda true: assets(1_000))
document("asset-list-of-15000-assets", A, "As many assets as fit.", lambda true: assets(15_000))
document("asset-list-of-a-megabyte", A, "One address of a megabyte.", lambda true: assets(1, "/" + "a" * 900_000))
document("asset-list-of-nothing", A, "No assets.", lambda true: '{"ASSETS": []}')
document("asset-list-of-no-json", A, "No JSON.", lambda true: "#EXTM3U\n")
document("asset-list-deep", A, "Arrays 500 deep, many times.",
         lambda true: beside(true, "[" + ("[" * DEEP + "]" * DEEP + ",") * 900 + "1]"))
document("asset-list-of-durations-past-all", A, "Durations past all.",
         lambda true: '{"ASSETS": [{"URI": "/a.m3u8", "DURATION": 1e308}, {"URI": "/a.m3u8", "DURATION": -1}]}')
document("asset-list-of-files", A, "Assets in files of the machine.", lambda true: assets(10, "file:///etc/passwd"))
document("asset-list-signalling", A, "Creative signalling of a megabyte.",
         lambda true: assets(1, more=', "X-AD-CREATIVE-SIGNALING": {"version": 2, "type": "slot", "payload": ['
                             + '{"type": "linear", "start": 0, "duration": 1},' * 15_000 + "{}]}"))

S = "steering"
document("steering-of-no-time", S, "Come back at once.", lambda true: json.dumps(true | {"TTL": 0}))
document("steering-before-now", S, "Come back before now.", lambda true: json.dumps(true | {"TTL": -5}))
document("steering-past-all", S, "Come back after all time.", lambda true: json.dumps(true | {"TTL": 1e300}))
document("steering-deep", S, "Arrays 500 deep, many times.",
         lambda true: beside(true, "[" + ("[" * DEEP + "]" * DEEP + ",") * 200 + "1]"))
document("steering-of-pathways", S, "20,000 pathways.",
         lambda true: json.dumps(true | {"PATHWAY-PRIORITY": [f"p{number}" for number in range(20_000)]}))
document("steering-of-clones", S, "2,000 clones.",
         lambda true: json.dumps(true | {"PATHWAY-CLONES": [
             {"ID": f"c{number}", "BASE-ID": "A" if number == 0 else f"c{number - 1}", "URI-REPLACEMENT": {"HOST": "unauthorised.invalid"}}
             for number in range(2_000)]}))
document("steering-to-a-file", S, "Come back to a file of the machine.",
         lambda true: json.dumps(true | {"RELOAD-URI": "file:///etc/passwd"}))
document("steering-of-a-megabyte", S, "A megabyte.", lambda true: beside(true, '"' + "a" * 1_000_000 + '"'), LARGE, loose=False,
         group="bodies")
document("steering-of-nothing", S, "An empty body.", lambda true: "")
