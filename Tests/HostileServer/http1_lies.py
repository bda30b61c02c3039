"""What lies over HTTP/1.1 are made of: a file of the folder lies/http1 sees all names of this module."""

import asyncio
import functools
import gzip
import json
import os
import re
import time
import zlib

import honest

#: The nesting that a reader of JSON may be expected to follow.
DEEP = 500
END = b"0\r\n\r\n"
SECOND = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n#EXTM3U"
START = "#EXTM3U\n#EXT-X-VERSION:7\n"


# Heads and framing


def raw(data):
    """Writes these bytes and closes."""
    async def act(exchange):
        await exchange.send(data(exchange) if callable(data) else data)
    return act


def line(first):
    async def act(exchange):
        body = exchange.body().decode()
        await exchange.send(f"{first}\r\nContent-Length: {len(body)}\r\n\r\n{body}")
        return True
    return act


def fields(*more):
    async def act(exchange):
        return await exchange.whole(exchange.body(), *more)
    return act


def behind(pause, more):
    async def act(exchange):
        await exchange.true()
        await asyncio.sleep(pause)
        await exchange.send(more)
        return True
    return act


def length(value):
    async def act(exchange):
        body = exchange.body()
        await exchange.send(exchange.head(*[f"Content-Length: {one}" for one in value(len(body))]), body)
        return True
    return act


def chunks(wire, silent=False, fields=("Transfer-Encoding: chunked",)):
    async def act(exchange):
        body = exchange.body()
        await exchange.send(exchange.head(*fields), wire(body, f"{len(body):x}\r\n".encode()))
        if silent:
            await exchange.silence()
        return False
    return act


def redirect(where, status="302 Found"):
    async def act(exchange):
        location = where(exchange) if callable(where) else where
        return await exchange.whole("", f"Location: {location}", status=status)
    return act


# Codings


def coded(make, coding="gzip"):
    async def act(exchange):
        return await exchange.whole(make(exchange.body()), f"Content-Encoding: {coding}")
    return act


@functools.cache
def bomb(byte=b"#", megabytes=1_000):
    """A gigabyte in a megabyte; its end does not matter, for nobody gets there."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = packer.compress(byte * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return packed + (packer.compress(byte * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)) * (megabytes - 1)


@functools.cache
def padded(megabytes):
    """A media playlist of a few segments and much comment."""
    line = b"#" + b"-" * 98 + b"\n"
    head = b"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:1.0,\n/a/ad.ts\n"
    return gzip.compress(head + line * (megabytes * 10_486) + b"#EXT-X-ENDLIST\n")


# Playlists


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


def body(make):
    """Is made once."""
    kept = functools.cache(lambda: encoded(make()))

    async def act(exchange):
        return await exchange.whole(kept())
    return act


def moving(make):
    """A live playlist that is another one each second, so that it has to be read anew."""
    made = {}

    async def act(exchange):
        second = int(time.time())
        if second not in made:
            made.clear()
            made[second] = make().encode()
        return await exchange.whole(made[second])
    return act


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


# JSON


def document(make):
    """`make` is given the true answer as a dictionary; what it makes is kept, but each viewer has a session of its own."""
    kept = []

    async def act(exchange):
        true = json.loads(exchange.body())
        if exchange.kind == "registration":
            return await exchange.whole(make(true), status="201 Created")
        if not kept:
            kept.append(encoded(make(true)))
        return await exchange.whole(kept[0])
    return act


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


def tags(true, count):
    pods = list(true["ad_breaks"]) or ["none"]
    ads = {f"{pods[0]}-{number % 50}": {"ad_break_id": pods[0], "seq": number % 50, "duration": 1.0, "slate": False}
           for number in range(50)}
    made = {f"tag-{number}": {"ad": f"{pods[0]}-{number % 50}", "ad_break_id": pods[0], "type": "progress"}
            for number in range(count)}
    return json.dumps({"tags": made, "ads": ads, "ad_breaks": true["ad_breaks"]})


def assets(count, uri="/asset-list-of-assets/asset.m3u8", more=""):
    one = f'{{"URI": "{uri}", "DURATION": 1.0{more}}}'
    return '{"ASSETS": [' + ",".join([one] * count) + "]}"
