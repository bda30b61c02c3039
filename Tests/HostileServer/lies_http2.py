"""Lies in frames of HTTP/2 (RFC 9113) and in compressed heads (RFC 7541)."""

import asyncio
import functools
import struct

from http2 import (ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PADDED, PING, PRIORITY, PUSH, RST,
                   SETTINGS, WINDOW, fields, frame, integer, literal, string)
from table import lie

POD = "pod_manifest"
#: What a lie that breaks the protocol may come to: libcurl does not tell these apart in the same way each time.
BROKEN = ["protocol_error", "connection_reset", "truncated", "other_failure"]
SLOW = ["total_timeout", "first_byte_timeout"]
LARGE = ["body_too_large"]
framed = functools.partial(lie, "frames", POD, http2=True)
flooding = functools.partial(lie, "floods", POD, http2=True)


def flood(name, does, piece, outcomes=BROKEN + SLOW, loose=True):
    @flooding(outcomes, name=name, does=does, loose=loose)
    async def act(exchange):
        await exchange.forever(piece(exchange) * 500)


flood("flood-of-settings", "SETTINGS for ever.", lambda exchange: frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535)))
flood("flood-of-pings", "PING for ever.", lambda exchange: frame(PING, 0, 0, b"12345678"))
flood("flood-of-acknowledgements", "Acknowledgements of what nobody sent.", lambda exchange: frame(PING, ACK, 0, b"1" * 8))
flood("flood-of-settings-acknowledged", "SETTINGS acknowledged for ever.", lambda exchange: frame(SETTINGS, ACK))
flood("flood-of-resets", "RST_STREAM for ever.", lambda exchange: frame(RST, 0, exchange.stream, struct.pack(">I", 8)))
flood("flood-of-resets-of-others", "RST_STREAM of streams that there are not.",
      lambda exchange: frame(RST, 0, exchange.stream + 1000, struct.pack(">I", 8)))
flood("flood-of-priorities", "PRIORITY for ever.", lambda exchange: frame(PRIORITY, 0, exchange.stream, b"\0\0\0\0\1"))
flood("flood-of-windows", "WINDOW_UPDATE of one for ever.", lambda exchange: frame(WINDOW, 0, 0, struct.pack(">I", 1)))
flood("flood-of-empty-data", "DATA without bytes for ever.", lambda exchange: frame(DATA, 0, exchange.stream))
flood("flood-of-unknown-frames", "Frames of a kind that there is not.", lambda exchange: frame(0xF0, 0, 0, b"x" * 1_000))
flood("flood-of-alternatives", "ALTSVC for ever.", lambda exchange: frame(10, 0, 0, b"\0\1a" + b"h2=\":1\""))
flood("flood-of-pushes", "Promises for ever.",
      lambda exchange: frame(PUSH, END_HEADERS, exchange.stream, struct.pack(">I", 2) + fields()))


def broken(name, does, frames, outcomes=BROKEN, loose=False, group="frames"):
    @lie(group, POD, outcomes, name=name, does=does, loose=loose, http2=True)
    async def act(exchange):
        await exchange.frames(*frames(exchange))
        await exchange.silence()


def word(value):
    return struct.pack(">I", value)


head = functools.partial(broken, group="heads")
broken("window-of-nought", "WINDOW_UPDATE of nought on the stream.",
       lambda exchange: [frame(WINDOW, 0, exchange.stream, word(0))])
broken("window-of-nought-for-all", "WINDOW_UPDATE of nought on the connection.", lambda exchange: [frame(WINDOW, 0, 0, word(0))])
broken("window-overflowing", "Windows past 31 bits.", lambda exchange: [frame(WINDOW, 0, 0, word(0x7FFFFFFF))] * 3)
broken("window-of-streams-past-all", "An initial window past 31 bits.",
       lambda exchange: [frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0xFFFFFFFF))])
broken("frame-size-of-nonsense", "A largest frame that is too small.",
       lambda exchange: [frame(SETTINGS, 0, 0, struct.pack(">HI", 5, 1))])
broken("settings-of-five-bytes", "SETTINGS of no whole entry.", lambda exchange: [frame(SETTINGS, 0, 0, b"12345")])
broken("settings-on-a-stream", "SETTINGS on a stream.", lambda exchange: [frame(SETTINGS, 0, exchange.stream)])
broken("settings-acknowledged-with-bytes", "An acknowledgement with bytes in it.",
       lambda exchange: [frame(SETTINGS, ACK, 0, b"123456")])
broken("push-enabled", "SETTINGS that a server may not send.",
       lambda exchange: [frame(SETTINGS, 0, 0, struct.pack(">HI", 2, 1))])
broken("ping-of-seven-bytes", "PING of seven bytes.", lambda exchange: [frame(PING, 0, 0, b"1234567")])
broken("ping-on-a-stream", "PING on a stream.", lambda exchange: [frame(PING, 0, exchange.stream, b"12345678")])
broken("reset-of-five-bytes", "RST_STREAM of five bytes.", lambda exchange: [frame(RST, 0, exchange.stream, b"12345")])
broken("reset-of-nothing", "RST_STREAM on no stream.", lambda exchange: [frame(RST, 0, 0, word(8))])
broken("reset-of-the-future", "RST_STREAM of a stream that is not open yet.",
       lambda exchange: [frame(RST, 0, exchange.stream + 100, word(8))])
broken("reset-refused", "The stream is refused.", lambda exchange: [frame(RST, 0, exchange.stream, word(7))],
       BROKEN + SLOW, loose=True)
for code in (0, 1, 2, 3, 8, 11):
    broken(f"reset-with-{code}", f"The stream ends with error {code}.",
           lambda exchange, code=code: [frame(RST, 0, exchange.stream, word(code))],
           ["protocol_error" if code in (1, 3) else "connection_reset"], group="heads")
broken("reset-behind-the-head", "The stream is reset behind its head.",
       lambda exchange: [exchange.head(), frame(RST, 0, exchange.stream, word(2))])
broken("reset-in-the-data", "The stream is reset in its body.",
       lambda exchange: [exchange.head(), exchange.data(b"#EXTM3U\n"), frame(RST, 0, exchange.stream, word(2))])
broken("data-before-the-head", "DATA before HEADERS.", lambda exchange: [exchange.data(exchange.body(), END_STREAM)])
broken("data-on-stream-nought", "DATA on no stream.", lambda exchange: [frame(DATA, 0, 0, b"x")])
broken("data-on-an-idle-stream", "DATA on a stream that there is not.",
       lambda exchange: [frame(DATA, 0, exchange.stream + 100, b"x")])
head("head-on-an-idle-stream", "HEADERS on a stream that there is not.",
     lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream + 100, fields())])
head("head-on-an-even-stream", "HEADERS on a stream of the server's.", lambda exchange: [frame(HEADERS, END_HEADERS, 2, fields())])
head("head-on-stream-nought", "HEADERS on no stream.", lambda exchange: [frame(HEADERS, END_HEADERS, 0, fields())])
head("head-without-a-status", "A head without a status.",
     lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, literal("a", "b"))])
head("head-of-two-statuses", "Two statuses.", lambda exchange: [
    frame(HEADERS, END_HEADERS, exchange.stream, fields() + literal(":status", "500"))])
head("head-with-a-status-last", "A status behind a field.", lambda exchange: [
    frame(HEADERS, END_HEADERS, exchange.stream, literal("a", "b") + fields())])
head("head-of-letters", "A status that is no number.", lambda exchange: [exchange.head(status="abc")])
head("head-in-capitals", "A name in capitals.", lambda exchange: [exchange.head(("X-A", "b"))])
head("head-with-line-ends", "Line ends in a value.", lambda exchange: [exchange.head(("x-a", "b\r\nx-c: d"))])
head("head-with-connection", "A field of HTTP/1.1.", lambda exchange: [exchange.head(("connection", "close"))])
head("head-of-a-request", "A field of requests.", lambda exchange: [exchange.head((":path", "/"))])
head("head-padded-past-its-end", "Padding longer than the frame.",
     lambda exchange: [frame(HEADERS, END_HEADERS | PADDED, exchange.stream, b"\xff" + fields())])
# What else is sent on the connection is taken for the rest, and breaks it where there is enough of it.
head("head-of-a-frame-cut", "A frame whose rest never comes.",
     lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields(), length=4_000)], BROKEN + SLOW)
broken("frame-of-sixteen-megabytes", "A frame past the largest that was agreed on.",
       lambda exchange: [exchange.head(), frame(DATA, 0, exchange.stream, b"x" * 1_000_000, length=0xFFFFFF)],
       [], loose=True)
broken("frame-of-a-hundred-kilobytes", "A frame of 100,000 bytes.",
       lambda exchange: [exchange.head(), exchange.data(b"x" * 100_000)], [], loose=True)
broken("data-padded-past-its-end", "DATA with padding longer than the frame.",
       lambda exchange: [exchange.head(), frame(DATA, PADDED, exchange.stream, b"\xffxx")])
broken("data-past-the-window", "DATA past any window.",
       lambda exchange: [exchange.head(), *[exchange.data(b"#" * 16_384)] * 4_000], BROKEN + SLOW + LARGE,
       group="floods")
broken("length-of-another-body", "A length that is not the body's.",
       lambda exchange: [exchange.head(("content-length", "9")), exchange.data(exchange.body(), END_STREAM)])
head("compressed-index-past-all", "A field of the table that there is not.",
     lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + b"\xff\xff\x7f")])
head("compressed-integer-without-end", "An integer past all bits.",
     lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + b"\xff" + b"\xff" * 30 + b"\x7f")])
head("compressed-string-past-its-end", "A string longer than the frame.",
     lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + b"\0\x7f\xff\xff\x7f" + b"a")])
head("compressed-huffman-of-nonsense", "A Huffman code that there is not.",
     lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, fields() + b"\0\x84\xff\xff\xff\xff\1b")])
head("compressed-table-past-all", "A table larger than was agreed on.",
     lambda exchange: [frame(HEADERS, END_HEADERS, exchange.stream, b"\x3f\xff\xff\xff\x7f" + fields())])
broken("push-promised", "A promise, which was forbidden.",
       lambda exchange: [frame(PUSH, END_HEADERS, exchange.stream, word(2) + fields())])
broken("continuation-of-nothing", "CONTINUATION of no head.",
       lambda exchange: [frame(CONTINUATION, END_HEADERS, exchange.stream, fields())])
broken("continuation-interrupted", "PING within a head.", lambda exchange: [
    frame(HEADERS, 0, exchange.stream, fields()), frame(PING, 0, 0, b"12345678")])
broken("goaway-at-once", "GOAWAY with nothing done.", lambda exchange: [frame(GOAWAY, 0, 0, word(0) + word(0))], BROKEN + SLOW)
broken("goaway-with-an-error", "GOAWAY with an error.", lambda exchange: [frame(GOAWAY, 0, 0, word(0) + word(11) + b"x" * 1_000)],
       BROKEN + SLOW)
broken("goaway-of-the-future", "GOAWAY with a stream that there is not.",
       lambda exchange: [frame(GOAWAY, 0, 0, word(0x7FFFFFFF) + word(0))], BROKEN + SLOW)
broken("goaway-on-a-stream", "GOAWAY on a stream.", lambda exchange: [frame(GOAWAY, 0, exchange.stream, word(0) + word(0))])
broken("an-answer-of-http-1", "HTTP/1.1 where frames should be.",
       lambda exchange: [b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n#EXTM3U"], BROKEN + SLOW)
broken("frames-of-nonsense", "Bytes that are no frames.", lambda exchange: [b"\xff" * 1_000], BROKEN + SLOW)


@framed(SLOW, name="silence-in-frames")
async def silence_in_frames(exchange):
    """Nothing ever comes on the stream."""
    await exchange.silence()


@framed(SLOW + BROKEN, name="no-settings-ever")
async def no_settings_ever(exchange):
    """The connection never says a word."""
    await exchange.silence()


@framed(SLOW, name="drops-in-frames")
async def drops_in_frames(exchange):
    """One byte of the body every tenth of a second."""
    await exchange.frames(exchange.head())
    for byte in exchange.body():
        await exchange.frames(exchange.data(bytes([byte])))
        await asyncio.sleep(0.1)


@flooding(LARGE + SLOW, name="data-without-end")
async def data_without_end(exchange):
    """DATA for ever, as the client has room for it."""
    await exchange.frames(exchange.head())
    while True:
        await exchange.connection.data(exchange.stream, b"#" * 65_536)


@lie("floods", "pod_segment", LARGE + SLOW, name="segment-without-end-in-frames", http2=True)
async def segment_without_end_in_frames(exchange):
    """A segment for ever, which is not kept."""
    await data_without_end(exchange)


# Polls of all viewers count for it, and those of another flood may be on the connection that it breaks.
@lie("floods", "playlist", LARGE + SLOW + BROKEN, name="seven-megabytes-in-frames-and-silence", http2=True)
async def seven_megabytes_in_frames(exchange):
    """Seven megabytes of a playlist, and silence."""
    await exchange.frames(exchange.head())
    for _ in range(107):
        await exchange.connection.data(exchange.stream, b"#" * 65_536)
    await exchange.silence()


@framed(BROKEN + SLOW, name="goaway-in-the-body")
async def goaway_in_the_body(exchange):
    """GOAWAY in the middle of a body, and silence."""
    await exchange.frames(exchange.head(), exchange.data(b"#EXTM3U\n"), frame(GOAWAY, 0, 0, word(exchange.stream) + word(0)))
    await exchange.silence()


@framed(loose=True, name="goaway-behind-each-answer")
async def goaway_behind_each_answer(exchange):
    """GOAWAY behind each true answer, which is lawful."""
    await exchange.true()
    await exchange.frames(frame(GOAWAY, 0, 0, word(exchange.stream) + word(0)))
    return False


@flooding(BROKEN + SLOW, name="continuation-without-end")
async def continuation_without_end(exchange):
    """A head that goes on for ever."""
    await exchange.frames(frame(HEADERS, 0, exchange.stream, fields()))
    await exchange.forever(frame(CONTINUATION, 0, exchange.stream, literal("x-a", "a" * 16_000)))


@flooding(BROKEN + SLOW, name="continuation-of-nothing-without-end")
async def continuation_of_nothing_without_end(exchange):
    """A head that goes on for ever without a byte."""
    await exchange.frames(frame(HEADERS, 0, exchange.stream, fields()))
    await exchange.forever(frame(CONTINUATION, 0, exchange.stream) * 1_000)


@flooding(BROKEN + SLOW, name="compressed-bomb")
async def compressed_bomb(exchange):
    """One large field of the table, named thousands of times."""
    large = b"\x40" + string("x-a") + string("a" * 4_000)
    await exchange.frames(frame(HEADERS, 0, exchange.stream, fields() + large))
    await exchange.forever(frame(CONTINUATION, 0, exchange.stream, b"\xbe" * 16_000))


@flooding(BROKEN + SLOW, name="heads-without-end", loose=True)
async def heads_without_end(exchange):
    """Heads of interim answers for ever."""
    await exchange.forever(frame(HEADERS, END_HEADERS, exchange.stream, fields(status="103")) * 100)


@framed(name="trailers-in-frames", loose=True)
async def trailers_in_frames(exchange):
    """Trailers, and trailers behind them."""
    await exchange.frames(exchange.head(), exchange.data(exchange.body()))
    trailer = frame(HEADERS, END_HEADERS | END_STREAM, exchange.stream, literal("x-a", "b"))
    await exchange.frames(trailer, trailer, trailer)


@framed(name="data-on-a-closed-stream", loose=True)
async def data_on_a_closed_stream(exchange):
    """DATA behind the end of the stream."""
    await exchange.true()
    await exchange.frames(*[exchange.data(b"x" * 100)] * 100)


@framed(BROKEN, name="closed-in-frames")
async def closed_in_frames(exchange):
    """The connection is closed without an answer."""
    return False


@framed(BROKEN, name="closed-in-the-body-in-frames")
async def closed_in_the_body(exchange):
    """The connection is closed in the middle of a body."""
    await exchange.frames(exchange.head(), exchange.data(b"#EXTM3U\n"))
    return False


no_settings_ever.greets_itself = True
