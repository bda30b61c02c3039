"""HTTP/1.1 by hand: whatever a lie writes goes out as it is."""

import asyncio
import os
import socket
import struct

import honest

PIECE = 65_536


class Closed(Exception):
    """The client has gone."""


class Exchange:
    """One request, and the connection that it came on."""

    def __init__(self, reader, writer, channel, kind, path):
        self.reader, self.writer = reader, writer
        self.channel, self.kind, self.path = channel, kind, path

    @property
    def port(self):
        return self.writer.get_extra_info("sockname")[1]

    async def send(self, *texts):
        for text in texts:
            # Not copied: a thousand connections may be given the same megabytes at once.
            data = memoryview(text.encode("latin-1") if isinstance(text, str) else text)
            for start in range(0, len(data), PIECE):
                self.writer.write(data[start:start + PIECE])
                await self.writer.drain()

    async def drip(self, data, pause, size=1):
        data = data.encode("latin-1") if isinstance(data, str) else data
        for start in range(0, len(data), size):
            await self.send(data[start:start + size])
            await asyncio.sleep(pause)

    async def forever(self, data):
        while True:
            await self.send(data)

    async def silence(self):
        """Until the client has gone."""
        while await self.reader.read(PIECE):
            pass
        raise Closed

    def reset(self):
        opened = self.writer.get_extra_info("socket")
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()
        raise Closed

    def honest(self):
        """Status, media type and body of what would be true."""
        return self.channel.answer(self.kind, self.path)

    def body(self):
        return self.honest()[2]

    def head(self, *fields, status="200 OK", version="HTTP/1.1"):
        kind = honest.JSON if self.kind in ("registration", "metadata", "asset_list", "steering") else honest.PLAYLIST
        lines = [f"{version} {status}", f"Content-Type: {kind}", *fields]
        return "\r\n".join(lines) + "\r\n\r\n"

    async def whole(self, body, *fields, status="200 OK"):
        body = body.encode() if isinstance(body, str) else body
        await self.send(self.head(f"Content-Length: {len(body)}", *fields, status=status), body)
        return True

    async def true(self):
        status, media_type, body = self.honest()
        head = f"HTTP/1.1 {status} OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n\r\n"
        await self.send(head.encode() + body)
        return True


class Server:
    def __init__(self, lies):
        self.lies = lies
        self.channels = {}
        self.told = set()
        self.is_found = False

    def channel(self, name, base):
        if name not in self.channels:
            known = self.lies.get(name)
            self.channels[name] = honest.Channel(name, known.kind if known else "", base)
        return self.channels[name]

    def act(self, name, kind):
        """What a lie does to an answer of this kind; None where it is true."""
        if not self.is_found:
            # A run asks once whether there is a channel at all.
            self.is_found = True
            return None
        known = self.lies.get(name)
        if known is None or known.kind != kind:
            return None
        if name not in self.told:
            self.told.add(name)
            print(name, flush=True)
        return known.act

    async def connection(self, reader, writer):
        try:
            while await self.request(reader, writer):
                pass
        except (Closed, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def request(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = head.split("\r\n")
        path = lines[0].split(" ")[1]
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        await reader.readexactly(int(fields.get("content-length", 0)))
        found = honest.asked(path, fields.get("lie", ""))
        port = writer.get_extra_info("sockname")[1]
        if found is None:
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return True
        name, kind = found
        exchange = Exchange(reader, writer, self.channel(name, f"http://127.0.0.1:{port}"), kind, path)
        act = self.act(name, kind)
        return await exchange.true() if act is None else await act(exchange)
