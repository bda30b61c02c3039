"""HTTP/2 by hand (RFC 9113), by prior knowledge: frames go out as a lie writes them."""

import asyncio
import struct

import hpack
from hpack.exceptions import HPACKError

import honest
from http1 import Closed, Server as Lies

DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM = ACK = 1
END_HEADERS, PADDED = 4, 8
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags=0, stream=0, payload=b"", length=None):
    size = len(payload) if length is None else length
    return struct.pack(">I", size)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """A field without indexing (RFC 7541 section 6.2.2), so that nothing is remembered."""
    return b"\0" + string(name) + string(value)


def string(text):
    data = text.encode("latin-1") if isinstance(text, str) else text
    return integer(len(data), 7) + data


def integer(value, bits):
    most = (1 << bits) - 1
    if value < most:
        return bytes([value])
    made = bytearray([most])
    value -= most
    while value >= 128:
        made.append(value % 128 + 128)
        value //= 128
    return bytes(made + bytes([value]))


def fields(*pairs, status="200"):
    return literal(":status", status) + b"".join(literal(*pair) for pair in pairs)


class Exchange:
    """One request, and the connection that it came on."""

    def __init__(self, connection, stream, channel, kind, path):
        self.connection, self.stream = connection, stream
        self.channel, self.kind, self.path = channel, kind, path

    async def frames(self, *frames):
        await self.connection.write(b"".join(frames))

    def head(self, *pairs, status="200", flags=END_HEADERS):
        return frame(HEADERS, flags, self.stream, fields(*pairs, status=status))

    def data(self, payload, flags=0):
        return frame(DATA, flags, self.stream, payload)

    def body(self):
        return self.channel.answer(self.kind, self.path)[2]

    async def true(self):
        status, media_type, body = self.channel.answer(self.kind, self.path)
        pieces = [body[at:at + 16_384] for at in range(0, len(body), 16_384)] or [b""]
        await self.frames(
            self.head(("content-type", media_type), status=str(status)),
            *[self.data(piece) for piece in pieces[:-1]], self.data(pieces[-1], END_STREAM),
        )

    async def forever(self, *frames):
        while True:
            await self.frames(*frames)

    async def silence(self):
        await self.connection.gone.wait()
        raise Closed


class Connection:
    def __init__(self, server, reader, writer):
        self.server, self.reader, self.writer = server, reader, writer
        self.decoder = hpack.Decoder()
        self.gone = asyncio.Event()
        self.room = asyncio.Event()
        self.window, self.windows, self.initial = 65_535, {}, 65_535
        self.tasks = set()
        self.greeted = False

    async def write(self, data):
        if self.gone.is_set():
            raise Closed
        self.writer.write(data)
        await self.writer.drain()

    async def data(self, stream, payload):
        """As much as the client has room for, and then the rest."""
        while payload:
            room = min(self.window, self.windows.setdefault(stream, self.initial), 16_384, len(payload))
            if room <= 0:
                self.room.clear()
                await self.room.wait()
                if self.gone.is_set():
                    raise Closed
                continue
            self.window -= room
            self.windows[stream] -= room
            await self.write(frame(DATA, 0, stream, payload[:room]))
            payload = payload[room:]

    async def serve(self):
        try:
            await self.reader.readexactly(len(PREFACE))
            while True:
                head = await self.reader.readexactly(9)
                payload = await self.reader.readexactly(int.from_bytes(head[:3], "big"))
                await self.received(head[3], head[4], int.from_bytes(head[5:], "big") & 0x7FFFFFFF, payload)
        finally:
            self.gone.set()
            self.room.set()
            for task in self.tasks:
                task.cancel()

    async def received(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload), 6):
                name, value = struct.unpack(">HI", payload[at:at + 6])
                if name == 4:
                    self.initial = value
        elif kind == PING and not flags & ACK:
            await self.write(frame(PING, ACK, 0, payload))
        elif kind == WINDOW:
            more = int.from_bytes(payload, "big")
            if stream:
                self.windows[stream] = self.windows.get(stream, self.initial) + more
            else:
                self.window += more
            self.room.set()
        elif kind == HEADERS:
            await self.requested(flags, stream, payload)

    async def requested(self, flags, stream, payload):
        if flags & PADDED:
            payload = payload[1:len(payload) - payload[0]]
        if flags & 0x20:
            payload = payload[5:]
        try:
            asked = dict(self.decoder.decode(payload))
            path = asked[":path"]
        except (HPACKError, KeyError):
            return
        found = honest.asked(path, asked.get("lie", ""))
        name, kind = found or ("", "")
        act = None
        if found:
            channel = self.server.channel(name, f"http://127.0.0.1:{self.writer.get_extra_info('sockname')[1]}")
            exchange = Exchange(self, stream, channel, kind, path)
            act = self.server.act(name, kind)
        if not self.greeted and not getattr(act, "greets_itself", False):
            self.greeted = True
            await self.write(frame(SETTINGS) + frame(SETTINGS, ACK))
        if not found:
            await self.write(frame(HEADERS, END_HEADERS | END_STREAM, stream, fields(status="404")))
        elif act is None:
            await exchange.true()
        else:
            task = asyncio.create_task(self.lie(act, exchange))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def lie(self, act, exchange):
        try:
            if await act(exchange) is False:
                self.writer.close()
        except (Closed, ConnectionError):
            pass


class Server(Lies):
    async def connection(self, reader, writer):
        try:
            await Connection(self, reader, writer).serve()
        except (Closed, ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
