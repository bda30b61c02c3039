"""Lies in time, and in the head of an answer."""

import asyncio

from http1 import raw
from table import lie

LOST = ("connection_reset", "truncated", "protocol_error")
POD = "pod_manifest"


# In time


@lie("time", POD, ["first_byte_timeout"])
async def silence(exchange):
    """Nothing ever comes."""
    await exchange.silence()


@lie("time", POD, ["total_timeout"])
async def head_in_drops(exchange):
    """One byte of the head every tenth of a second."""
    await exchange.drip(exchange.head("Content-Length: 4"), 0.1)


@lie("time", POD, ["total_timeout"])
async def body_in_drops(exchange):
    """One byte of the body every tenth of a second."""
    body = exchange.body()
    await exchange.send(exchange.head(f"Content-Length: {len(body)}"))
    await exchange.drip(body, 0.1)


@lie("time", POD, ["total_timeout"])
async def silence_after_the_status_line(exchange):
    """A status line and no more."""
    await exchange.send("HTTP/1.1 200 OK\r\n")
    await exchange.silence()


@lie("time", POD, ["total_timeout"])
async def silence_after_the_head(exchange):
    """A head and no body."""
    await exchange.send(exchange.head("Content-Length: 400"))
    await exchange.silence()


@lie("time", POD, ["total_timeout"])
async def silence_in_the_body(exchange):
    """Half a body and no more."""
    body = exchange.body()
    await exchange.send(exchange.head(f"Content-Length: {len(body)}"), body[:50])
    await exchange.silence()


@lie("time", "registration", ["first_byte_timeout"], name="silence-to-a-registration")
async def silence_to_a_registration(exchange):
    """A POST is never answered."""
    await exchange.silence()


@lie("time", "playlist", ["first_byte_timeout"], name="silence-to-polls")
async def silence_to_polls(exchange):
    """Polls of the live playlist are never answered."""
    await exchange.silence()


@lie("time", "verification", ["first_byte_timeout"], name="silence-to-pings")
async def silence_to_pings(exchange):
    """Pings are never answered."""
    await exchange.silence()


# Ends of connections


@lie("ends", POD, LOST)
async def closed_at_once(exchange):
    """The connection is closed without an answer."""


@lie("ends", POD, LOST)
async def reset_at_once(exchange):
    """The connection is reset without an answer."""
    exchange.reset()


@lie("ends", POD, LOST)
async def closed_in_the_head(exchange):
    """The connection is closed in the middle of the head."""
    await exchange.send(exchange.head("Content-Length: 4")[:40])


@lie("ends", POD, LOST)
async def reset_in_the_head(exchange):
    """The connection is reset in the middle of the head."""
    await exchange.send(exchange.head("Content-Length: 4")[:40])
    await asyncio.sleep(0.05)
    exchange.reset()


@lie("ends", POD, LOST)
async def reset_after_the_head(exchange):
    """The connection is reset where the body would begin."""
    await exchange.send(exchange.head("Content-Length: 400"))
    await asyncio.sleep(0.05)
    exchange.reset()


@lie("ends", POD, LOST)
async def reset_in_the_body(exchange):
    """The connection is reset in the middle of the body."""
    await exchange.send(exchange.head("Content-Length: 400"), exchange.body()[:50])
    await asyncio.sleep(0.05)
    exchange.reset()


@lie("ends", POD, LOST)
async def reset_in_a_chunk(exchange):
    """The connection is reset in the middle of a chunk."""
    await exchange.send(exchange.head("Transfer-Encoding: chunked"), "ff\r\n#EXTM3U\n")
    await asyncio.sleep(0.05)
    exchange.reset()


@lie("ends", POD, LOST)
async def closed_in_the_body(exchange):
    """The connection is closed before the length that was announced."""
    body = exchange.body()
    await exchange.send(exchange.head(f"Content-Length: {len(body) + 100}"), body)


@lie("ends", "playlist")
async def closed_behind_an_answer(exchange):
    """The connection is closed behind a true answer that promised to keep it."""
    await exchange.true()


@lie("ends", "playlist")
async def reset_behind_an_answer(exchange):
    """The connection is reset some milliseconds behind a true answer."""
    await exchange.true()
    await asyncio.sleep(0.02)
    exchange.reset()


def behind(name, does, pause, more):
    @lie("ends", "playlist", name=name, does=does)
    async def act(exchange):
        await exchange.true()
        await asyncio.sleep(pause)
        await exchange.send(more)
        return True


SECOND = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n#EXTM3U"
behind("second-answer", "Nobody asked for the second answer behind the first.", 0, SECOND)
behind("second-answer-late", "The same a tenth of a second later, on a connection that rests.", 0.1, SECOND)
behind("half-a-second-answer", "Half a head behind the answer.", 0, SECOND[:20])
behind("rubbish-behind-an-answer", "Bytes that are no HTTP behind the answer.", 0, b"\0\xff" * 500)


@lie("ends", "playlist")
async def rubbish_without_end_behind_an_answer(exchange):
    """Megabytes behind the answer."""
    await exchange.true()
    await exchange.forever(b"\0" * 65_536)


# Versions and statuses


def line(name, does, first, outcomes, loose=False):
    async def act(exchange):
        body = exchange.body().decode()
        await exchange.send(f"{first}\r\nContent-Length: {len(body)}\r\n\r\n{body}")
        return True
    lie("status", POD, outcomes, name=name, does=does, loose=loose)(act)


BROKEN = ["protocol_error"]
lie("status", POD, BROKEN, name="http-0-9", does="A body without a head.")(raw(lambda exchange: exchange.body()))
lie("status", POD, name="http-1-0", does="An answer of HTTP/1.0 that ends with its connection.")(
    raw(lambda exchange: exchange.head(version="HTTP/1.0").encode() + exchange.body())
)
line("http-3-0", "A version that this is not.", "HTTP/3.0 200 OK", BROKEN)
line("http-1-7", "A minor version that there is not.", "HTTP/1.7 200 OK", BROKEN)
line("icy", "The status line of SHOUTcast.", "ICY 200 OK", BROKEN)
line("no-status", "A status line without a status.", "HTTP/1.1", BROKEN)
line("status-of-letters", "A status that is no number.", "HTTP/1.1 abc OK", BROKEN)
line("status-of-five-digits", "A status of five digits.", "HTTP/1.1 20000 OK", BROKEN)
line("status-000", "Status 000.", "HTTP/1.1 000 None", [*BROKEN, "http_other"])
line("status-999", "Status 999.", "HTTP/1.1 999 Nine", ["http_999"])
line("status-600", "Status 600.", "HTTP/1.1 600 Six", ["http_600"])
line("status-negative", "A status below nought.", "HTTP/1.1 -200 OK", BROKEN)
line("status-416", "A range that nobody asked for cannot be given.", "HTTP/1.1 416 Range Not Satisfiable", ["http_416"])
line("reason-of-a-megabyte", "A reason phrase of a megabyte.", "HTTP/1.1 200 " + "O" * 1_000_000, BROKEN)
line("reason-with-nul", "A reason phrase with a NUL in it.", "HTTP/1.1 200 O\0K", BROKEN, loose=True)
lie("status", POD, LOST, name="cr-alone", does="Lines that end in CR alone.")(
    raw(lambda exchange: exchange.head("Content-Length: 4").replace("\r\n", "\r").encode() + b"four")
)
lie("status", POD, loose=True, name="lf-alone", does="Lines that end in LF alone.")(
    raw(lambda exchange: exchange.head("Content-Length: 4").replace("\r\n", "\n").encode() + b"four")
)


@lie("status", POD, ["http_304"])
async def unasked_304(exchange):
    """Not modified, without a condition in the request."""
    await exchange.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 400\r\n\r\n")
    return True


@lie("status", POD, ["http_304", *LOST])
async def unasked_304_with_a_body(exchange):
    """A 304 with a body behind it, which would be the next answer."""
    await exchange.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n#EXTM3U")
    return True


@lie("status", POD, loose=True)
async def a_204_with_a_body(exchange):
    """No content, with content."""
    await exchange.send("HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n#EXTM3U")
    return True


@lie("status", POD, loose=True)
async def a_205_with_a_body(exchange):
    """Reset content, with content."""
    await exchange.send("HTTP/1.1 205 Reset Content\r\nContent-Length: 7\r\n\r\n#EXTM3U")
    return True


@lie("status", POD, loose=True)
async def unasked_206(exchange):
    """A part of what was asked for whole."""
    return await exchange.whole(exchange.body()[:40], "Content-Range: bytes 0-39/400", status="206 Partial Content")


@lie("status", POD, ["total_timeout", *BROKEN])
async def endless_100(exchange):
    """Continue, and again, for ever."""
    await exchange.forever("HTTP/1.1 100 Continue\r\n\r\n" * 1_000)


@lie("status", POD, ["total_timeout", *BROKEN])
async def endless_103(exchange):
    """Early hints for ever, a few at a time."""
    while True:
        await exchange.send("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")
        await asyncio.sleep(0.01)


@lie("status", POD)
async def a_100_first(exchange):
    """One Continue before a true answer, which is lawful."""
    await exchange.send("HTTP/1.1 100 Continue\r\n\r\n")
    return await exchange.true()


@lie("status", POD, BROKEN)
async def a_103_of_a_megabyte(exchange):
    """Early hints of a megabyte."""
    await exchange.send("HTTP/1.1 103 Early Hints\r\nLink: " + "a" * 1_000_000 + "\r\n\r\n")
    return await exchange.true()


@lie("status", POD, [*BROKEN, "total_timeout"])
async def switching_protocols(exchange):
    """Another protocol that nobody asked for."""
    await exchange.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello")
    await exchange.silence()


@lie("status", "registration", ["http_503"])
async def retry_after_for_ever(exchange):
    """Come back in more seconds than any number holds."""
    return await exchange.whole("", "Retry-After: 99999999999999999999999", status="503 Busy")


# Fields


def fields(name, does, outcomes, *more, loose=False):
    async def act(exchange):
        return await exchange.whole(exchange.body(), *more)
    lie("fields", POD, outcomes, name=name, does=does, loose=loose)(act)


fields("nul-in-a-field", "A NUL in a value.", BROKEN, "X-A: a\0b")
fields("nul-in-a-name", "A NUL in a name.", BROKEN, "X\0A: ab")
fields("controls-in-a-field", "Escape sequences in a value.", [], "Server: \x1b[2J\x07", loose=True)
fields("cr-in-a-field", "CR alone in a value.", [], "X-A: a\rContent-Length: 1", loose=True)
fields("no-colon", "A line of the head without a colon.", BROKEN, "this is no field")
fields("no-name", "A field without a name.", [], ": value", loose=True)
fields("space-before-the-colon", "A space between name and colon.", [], "X-A : b", loose=True)
fields("folded", "A value that goes on in the next line.", [], "X-A: a\r\n b", loose=True)
fields("folded-length", "A length that is folded.", [], "X-A: a\r\n Content-Length: 3", loose=True)
fields("bytes-above-127", "Bytes above 127 in a value.", [], "X-A: \xff\xfe\x80")
fields("many-fields", "A hundred thousand fields.", BROKEN, *[f"X-{number}: a" for number in range(100_000)])
fields("a-field-of-a-megabyte", "A value of a megabyte.", BROKEN, "X-A: " + "a" * 1_000_000)
fields("a-name-of-a-megabyte", "A name of a megabyte.", BROKEN, "X" * 1_000_000 + ": a")
fields("many-cookies", "As many cookies as a head may hold.", [], *[f"Set-Cookie: c{n}={n}" for n in range(2_500)])
fields("age-beyond-numbers", "An age that no number holds.", [], "Age: 99999999999999999999999")
fields("date-of-nonsense", "A date that is none.", [], "Date: Xyz, 99 Foo -1 99:99:99 GMT", "Expires: 0")
fields("connection-named-twice", "Keep the connection, and close it.", [], "Connection: keep-alive, close")


@lie("fields", POD, [*BROKEN, "total_timeout"])
async def a_head_without_end(exchange):
    """Fields for ever."""
    await exchange.send("HTTP/1.1 200 OK\r\n")
    await exchange.forever("X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 1_000)


@lie("fields", POD, [*BROKEN, "total_timeout"])
async def a_line_without_end(exchange):
    """One field for ever."""
    await exchange.send("HTTP/1.1 200 OK\r\nX-A: ")
    await exchange.forever("a" * 65_536)


@lie("fields", POD, BROKEN)
async def empty_lines_first(exchange):
    """A hundred thousand empty lines before the status line."""
    await exchange.send("\r\n" * 100_000)
    return await exchange.true()
