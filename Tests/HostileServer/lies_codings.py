"""Lies about how a body is coded."""

import functools
import gzip
import zlib

from table import lie

POD = "pod_manifest"
BROKEN = ["protocol_error"]
LARGE = ["body_too_large"]


def coded(name, does, make, outcomes=BROKEN, *, coding="gzip", loose=False, kind=POD,
          group="codings"):
    async def act(exchange):
        return await exchange.whole(make(exchange.body()), f"Content-Encoding: {coding}")
    lie(group, kind, outcomes, name=name, does=does, loose=loose)(act)


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


coded("gzip-that-is-none", "Plain text that is called gzip.", lambda body: body)
coded("gzip-of-nothing", "No bytes at all that are called gzip.", lambda body: b"", [], loose=True)
coded("gzip-cut", "The last bytes are missing.", lambda body: gzip.compress(body)[:-12], [], loose=True)
coded("gzip-cut-to-its-head", "Ten bytes of gzip.", lambda body: gzip.compress(body)[:10], [], loose=True)
coded("gzip-with-a-wrong-sum", "The checksum is another body's.",
      lambda body: gzip.compress(body)[:-8] + b"\1\2\3\4" + gzip.compress(body)[-4:])
coded("gzip-with-a-wrong-length", "The length is another body's.", lambda body: gzip.compress(body)[:-4] + b"\1\2\3\4")
coded("gzip-with-rubbish-behind", "Bytes behind the end.", lambda body: gzip.compress(body) + b"\0\1" * 50, [],
      loose=True)
coded("gzip-in-two-members", "Two members, which is lawful.",
      lambda body: gzip.compress(body[:50]) + gzip.compress(body[50:]), [], loose=True)
coded("gzip-with-a-name-of-a-megabyte", "A file name of a megabyte in the head.",
      lambda body: b"\x1f\x8b\x08\x08" + b"\0" * 6 + b"n" * 1_000_000 + b"\0" + gzip.compress(body)[10:], [],
      loose=True)
coded("gzip-of-reserved-flags", "Flags that are reserved.",
      lambda body: b"\x1f\x8b\x08\xe0" + gzip.compress(body)[4:])
coded("gzip-in-gzip", "Packed twice, and said so.", lambda body: gzip.compress(gzip.compress(body)), [],
      coding="gzip, gzip", loose=True)
coded("gzip-in-gzip-untold", "Packed twice, and said once.", lambda body: gzip.compress(gzip.compress(body)), [],
      loose=True)
coded("coding-unknown", "A coding that was not offered.", lambda body: b"\x0b\x02" + body, BROKEN, coding="br",
      loose=True)
coded("coding-that-is-none", "A coding that there is not.", lambda body: body, BROKEN, coding="snow", loose=True)
coded("coding-deflate", "Deflate, which was not offered.", lambda body: zlib.compress(body), [], coding="deflate",
      loose=True)
coded("codings-a-hundred", "A hundred codings in a row.", lambda body: gzip.compress(body), BROKEN,
      coding=", ".join(["gzip"] * 100))
coded("gzip-bomb", "A gigabyte in a megabyte, as a pod.", lambda body: bomb(), LARGE)
coded("gzip-bomb-as-a-playlist", "The same as a live playlist.", lambda body: bomb(), LARGE, kind="playlist")
coded("gzip-bomb-as-metadata", "The same as metadata.", lambda body: bomb(b" "), LARGE, kind="metadata")
coded("gzip-bomb-as-a-segment", "The same as a segment, which is not kept.", lambda body: bomb(b"G"),
      LARGE + ["protocol_error", "total_timeout"], kind="pod_segment", loose=True)
coded("gzip-bomb-in-a-bomb", "A bomb that is packed twice.", lambda body: gzip.compress(bomb()), LARGE,
      coding="gzip, gzip", loose=True)
coded("gzip-of-fifteen-megabytes", "A pod of 15 megabytes, packed.", lambda body: padded(15), LARGE)
coded("gzip-of-seven-megabytes", "A live playlist of 7 megabytes, packed: lawful.", lambda body: padded(7), [],
      kind="playlist", loose=True, group="small-playlists")


@lie("codings", POD, LARGE + ["total_timeout"])
async def gzip_bomb_in_drops(exchange):
    """A bomb whose pieces come slowly."""
    await exchange.send(exchange.head("Content-Encoding: gzip", f"Content-Length: {len(bomb())}"))
    await exchange.drip(bomb(), 0.1, size=20)
