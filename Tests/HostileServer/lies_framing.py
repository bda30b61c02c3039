"""Lies about where a body ends."""

from table import lie

POD = "pod_manifest"
MEGABYTES = b"#" * 7_000_000
CHUNK = b"10000\r\n" + b"#" * 65_536 + b"\r\n"
BROKEN = ["protocol_error"]
LARGE = ["body_too_large"]


def length(name, does, value, outcomes=BROKEN, loose=False):
    async def act(exchange):
        body = exchange.body()
        fields = [f"Content-Length: {one}" for one in value(len(body))]
        await exchange.send(exchange.head(*fields), body)
        return True
    lie("framing", POD, outcomes, name=name, does=does, loose=loose)(act)


length("length-negative", "A length below nought.", lambda count: ["-5"])
length("length-overflowing", "A length past 64 bits.", lambda count: ["18446744073709551660"],
       BROKEN + LARGE + ["total_timeout"])
length("length-past-any-number", "A length of a hundred digits.", lambda count: ["9" * 100], BROKEN + LARGE + ["total_timeout"])
length("length-signed", "A length with a plus sign.", lambda count: [f"+{count}"], [], loose=True)
length("length-hexadecimal", "A length in hexadecimal.", lambda count: [f"0x{count:x}"], [], loose=True)
length("length-of-nothing", "A length without digits.", lambda count: [""])
length("length-of-words", "A length in words.", lambda count: ["many"])
length("length-with-a-fraction", "A length with a fraction.", lambda count: [f"{count}.0"], [], loose=True)
length("length-listed-differently", "Two lengths in one field.", lambda count: [f"{count}, {count + 1}"], [], loose=True)
length("length-listed-twice", "The same length twice in one field.", lambda count: [f"{count}, {count}"], [], loose=True)
length("lengths-equal", "The same length in two fields.", lambda count: [str(count)] * 2, [], loose=True)
length("lengths-different", "Two lengths in two fields.", lambda count: [str(count), str(count - 9)], [], loose=True)
length("length-too-short", "A body longer than its length.", lambda count: [str(count - 20)], [], loose=True)
length("length-of-nought", "A body behind a length of nought.", lambda count: ["0"], [], loose=True)


@lie("framing", POD, LARGE)
async def ten_gigabytes_announced(exchange):
    """A length of ten gigabytes, and zeros for ever."""
    await exchange.send(exchange.head("Content-Length: 10000000000"))
    await exchange.forever(b"\0" * 65_536)


@lie("framing", POD, LARGE + ["total_timeout"])
async def ten_gigabytes_of_silence(exchange):
    """A length of ten gigabytes, and silence."""
    await exchange.send(exchange.head("Content-Length: 10000000000"), "#EXTM3U\n")
    await exchange.silence()


@lie("framing", "playlist", LARGE + ["total_timeout"])
async def seven_megabytes_and_silence(exchange):
    """Seven of the eight megabytes that a playlist may have, and silence."""
    await exchange.send(exchange.head("Content-Length: 8000000"), b"#EXTM3U\n", MEGABYTES)
    await exchange.silence()


@lie("chunks", "playlist", LARGE + ["total_timeout"])
async def seven_megabytes_in_chunks_and_silence(exchange):
    """The same in chunks."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"))
    for _ in range(112):
        await exchange.send(CHUNK)
    await exchange.silence()


@lie("framing", "pod_segment")
async def segment_of_ten_megabytes(exchange):
    """A segment of ten megabytes, which is lawful and not kept."""
    return await exchange.whole(b"G" * 10_000_000)


@lie("framing", "pod_segment", LARGE + ["total_timeout"])
async def segment_without_end(exchange):
    """A segment that never ends."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"))
    await exchange.forever(b"10000\r\n" + b"G" * 65_536 + b"\r\n")


@lie("framing", "verification", LARGE + ["total_timeout"])
async def ping_answered_without_end(exchange):
    """The answer to a ping never ends."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"))
    await exchange.forever(b"10000\r\n" + b"G" * 65_536 + b"\r\n")


@lie("framing", POD, LARGE)
async def body_without_end(exchange):
    """A body without a length that never ends."""
    await exchange.send(exchange.head())
    await exchange.forever(b"#" * 65_536)


@lie("framing", POD, LARGE)
async def chunks_without_end(exchange):
    """Chunks for ever."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"))
    await exchange.forever(b"10000\r\n" + b"#" * 65_536 + b"\r\n")


def chunks(name, does, wire, outcomes=BROKEN, loose=False, silent=False, fields=("Transfer-Encoding: chunked",)):
    async def act(exchange):
        body = exchange.body()
        size = f"{len(body):x}\r\n".encode()
        await exchange.send(exchange.head(*fields), wire(body, size))
        if silent:
            await exchange.silence()
        return False
    lie("chunks", POD, outcomes, name=name, does=does, loose=loose)(act)


END = b"0\r\n\r\n"
LOST = ["truncated", "connection_reset", "protocol_error"]
chunks("chunk-size-of-letters", "A size that is no number.", lambda body, size: b"zz\r\n" + body + b"\r\n" + END)
chunks("chunk-size-overflowing", "A size past 64 bits.", lambda body, size: b"fffffffffffffffff\r\n" + body)
chunks("chunk-size-of-63-bits", "A size that no memory holds.", lambda body, size: b"7fffffffffffffff\r\n" + body,
       BROKEN + LOST + LARGE + ["total_timeout"], silent=True)
chunks("chunk-size-negative", "A size below nought.", lambda body, size: b"-5\r\n" + body + b"\r\n" + END)
chunks("chunk-size-prefixed", "A size with 0x before it.", lambda body, size: b"0x" + size + body + b"\r\n" + END)
chunks("chunk-size-empty", "A line where a size should be.", lambda body, size: b"\r\n" + body + b"\r\n" + END)
chunks("chunk-size-without-end", "A size of a million noughts.", lambda body, size: b"0" * 1_000_000 + size + body + END)
chunks("chunk-of-one-byte-each", "A chunk for each byte, which is lawful.",
       lambda body, size: b"".join(b"1\r\n%c\r\n" % byte for byte in body) + END, [])
chunks("chunk-runs-on", "No line end behind a chunk.", lambda body, size: size + body + b"xx" + END)
chunks("chunk-without-the-last", "Closed before the last chunk.", lambda body, size: size + body + b"\r\n", LOST)
chunks("chunk-without-the-last-and-silence", "Silence where the last chunk should be.",
       lambda body, size: size + body + b"\r\n", ["total_timeout"], silent=True)
chunks("chunk-cut", "Closed in the middle of a chunk.", lambda body, size: size + body[:40], LOST)
chunks("chunk-extension-of-a-megabyte", "An extension of a megabyte.",
       lambda body, size: size[:-2] + b";a=" + b"a" * 1_000_000 + b"\r\n" + body + b"\r\n" + END, [], loose=True)
chunks("chunk-extension", "A short extension, which is lawful.",
       lambda body, size: size[:-2] + b";a=b\r\n" + body + b"\r\n" + END, [])
chunks("trailer-without-colon", "A trailer that is no field.",
       lambda body, size: size + body + b"\r\n0\r\nno field\r\n\r\n", BROKEN, loose=True)
chunks("trailers-of-a-megabyte", "Trailers of a megabyte.",
       lambda body, size: size + body + b"\r\n0\r\n" + b"X-A: aaaaaaaa\r\n" * 70_000 + b"\r\n")
chunks("chunked-twice", "Chunks in chunks.", lambda body, size: size + body + b"\r\n" + END, [],
       fields=("Transfer-Encoding: chunked, chunked",), loose=True)
chunks("coded-unknown", "A transfer coding that there is not.", lambda body, size: body, BROKEN,
       fields=("Transfer-Encoding: zip",), loose=True)
chunks("coded-gzip-and-chunked", "A transfer coding that was not offered.",
       lambda body, size: size + body + b"\r\n" + END, BROKEN, fields=("Transfer-Encoding: gzip, chunked",), loose=True)
chunks("coded-identity", "A transfer coding that is no more.", lambda body, size: body, [],
       fields=("Transfer-Encoding: identity",), loose=True)
chunks("chunked-with-a-length", "Chunks beside a length.", lambda body, size: size + body + b"\r\n" + END, [],
       fields=("Transfer-Encoding: chunked", "Content-Length: 12"), loose=True)


@lie("chunks", POD, BROKEN + ["total_timeout"])
async def a_chunk_extension_without_end(exchange):
    """An extension for ever."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "5;a=")
    await exchange.forever(b"a" * 65_536)


@lie("chunks", POD, BROKEN + ["total_timeout"])
async def trailers_without_end(exchange):
    """Trailers for ever."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "0\r\n")
    await exchange.forever(b"X-A: aaaaaaaaaaaaaaaaaaa\r\n" * 1_000)
