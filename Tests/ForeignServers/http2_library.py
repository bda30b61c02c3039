"""A live channel with sessions and pods over the h2 library, by prior knowledge.

  goaway          the third request of a connection meets a GOAWAY below it and is never looked at
  refusals        each request for a pod of the first break is refused each time, and others are to be had over HTTP/1.1 only
  window_late     no room for a body until its head has come, and then for 16 bytes at a time
  window_never    no room for a body, ever

With a window_ fault the first playlist of each connection says that the session is over: the next session is asked
for where the window is known already. Each request that is looked at is printed with its protocol, method and path,
and each that is not as `refused`.
"""

import argparse
import asyncio
import json

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import live
from h2.settings import SettingCodes
from hyperframe.frame import GoAwayFrame

PLAYLIST = "application/vnd.apple.mpegurl"
REFUSED_STREAM, HTTP_1_1_REQUIRED = 7, 13
POD = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:0",
       "#EXTINF:1.000,", "ad.ts", "#EXT-X-ENDLIST"]


def answer(path):
    """Status, media type and body."""
    name = path.partition("?")[0]
    if name == "/session":
        answer.sessions += 1
        return 201, "application/json", json.dumps({"id": f"s{answer.sessions}"}).encode()
    if name.endswith(".ts"):
        return 200, "video/mp2t", b"G" * 100_000
    if name == "/multivariant.m3u8":
        lines = live.master(lambda variant: f"media.m3u8?{variant}")
    elif name == "/media.m3u8":
        lines = live.media(lambda number: f"segment.ts?{number}")
    elif name == "/pod.m3u8":
        lines = POD
    else:
        return 404, PLAYLIST, b""
    return 200, PLAYLIST, ("\n".join(lines) + "\n").encode()


answer.sessions = 0
answer.first_pod = None


class Connection:
    """One HTTP/2 connection."""

    def __init__(self, fault, reader, writer):
        self.fault, self.reader, self.writer = fault, reader, writer
        self.http2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.asked = {}
        self.unsent = {}
        self.requests = 0
        self.has_ended_session = False

    async def serve(self, data):
        self.http2.initiate_connection()
        if self.fault.startswith("window_"):
            self.http2.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 0})
        while data:
            for event in self.http2.receive_data(data):
                self.happened(event)
            self.pump()
            self.writer.write(self.http2.data_to_send())
            await self.writer.drain()
            data = await self.reader.read(65_536)

    def happened(self, event):
        if isinstance(event, h2.events.RequestReceived):
            fields = {bytes(name).decode(): bytes(value).decode() for name, value in event.headers}
            self.asked[event.stream_id] = (fields[":method"], fields[":path"])
            if self.fault == "window_late" and not event.stream_ended:
                self.give_room(event.stream_id)
        elif isinstance(event, h2.events.DataReceived):
            self.http2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            self.requested(event.stream_id)
        elif isinstance(event, h2.events.StreamReset):
            self.unsent.pop(event.stream_id, None)

    def give_room(self, stream):
        try:
            self.http2.increment_flow_control_window(16, stream)
        except (h2.exceptions.ProtocolError, KeyError):
            return
        self.writer.write(self.http2.data_to_send())
        asyncio.get_running_loop().call_later(0.005, self.give_room, stream)

    def requested(self, stream):
        method, path = self.asked.pop(stream)
        self.requests += 1
        code = self.refusal(path)
        if self.fault == "goaway" and self.requests > 2:
            if self.requests == 3:
                self.writer.write(self.http2.data_to_send() + GoAwayFrame(0, stream - 2).serialize())
            print("refused", flush=True)
            return
        if code is not None:
            print("refused", flush=True)
            self.http2.reset_stream(stream, code)
            return
        print("HTTP/2", method, path, flush=True)
        status, media_type, body = answer(path)
        if path.startswith("/media") and self.fault.startswith("window_") and not self.has_ended_session:
            self.has_ended_session = True
            status, body = 410, b""
        fields = [(":status", str(status)), ("content-type", media_type), ("content-length", str(len(body)))]
        self.http2.send_headers(stream, fields, end_stream=not body)
        if body:
            self.unsent[stream] = body

    def refusal(self, path):
        """The code with which a request is refused; None where it is answered."""
        if not path.startswith("/pod"):
            return None
        if self.fault != "refusals":
            return None
        answer.first_pod = answer.first_pod or path
        return REFUSED_STREAM if path == answer.first_pod else HTTP_1_1_REQUIRED

    def pump(self):
        """Sends of each body as much as the client has room for."""
        for stream in list(self.unsent):
            while stream in self.unsent:
                room = min(self.http2.local_flow_control_window(stream), self.http2.max_outbound_frame_size)
                if room <= 0:
                    break
                piece, rest = self.unsent[stream][:room], self.unsent[stream][room:]
                self.http2.send_data(stream, piece, end_stream=not rest)
                if rest:
                    self.unsent[stream] = rest
                else:
                    del self.unsent[stream]


async def serve_http1(data, reader, writer):
    """Requests without bodies, one after another."""
    while data:
        while b"\r\n\r\n" not in data:
            more = await reader.read(65_536)
            if not more:
                return
            data += more
        head, _, data = data.partition(b"\r\n\r\n")
        method, path, _ = head.decode().split("\r\n")[0].split(" ")
        print("HTTP/1.1", method, path, flush=True)
        status, media_type, body = answer(path)
        fields = f"HTTP/1.1 {status} OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(fields.encode() + body)
        await writer.drain()
        data = data or await reader.read(65_536)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", default="")
    fault = parser.parse_args().fault

    async def connected(reader, writer):
        try:
            data = await reader.read(65_536)
            if data.startswith(b"PRI "):
                await Connection(fault, reader, writer).serve(data)
            else:
                await serve_http1(data, reader, writer)
        except (ConnectionError, h2.exceptions.ProtocolError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
