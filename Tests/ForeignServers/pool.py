"""One channel at several addresses of loopback, and the name server that says which: pool.test, with a life of a second.

It prints the port of the channel, that of the name server, and from then on `ADDRESS AGE` for each request it answers, and
`asked AGE` for each question; the age is in seconds from the first question. Each answer ends its connection.

After four seconds the second address takes no connection any more, and the name keeps it: `died AGE` is printed. After eight the name
leads to a third address, and the first goes on answering.
"""

import asyncio
import struct
import time

import live
from aiohttp import web

ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
LIFE = 1
DEATH = 4
MOVE = 8


class Pool(asyncio.DatagramProtocol):
    def __init__(self):
        self.began = None
        self.runners = {}

    def age(self):
        return time.time() - self.began if self.began else 0

    def datagram_received(self, question, sender):
        """RFC 1035: one question, which is answered whatever the name; of IPv6 there is nothing."""
        if self.began is None:
            self.began = time.time()
            asyncio.get_running_loop().create_task(self.die())
        print("asked", self.age(), flush=True)
        end = question.index(0, 12) + 5
        addresses = ADDRESSES[2:] if self.age() >= MOVE else ADDRESSES[:2]
        if question[end - 4 : end - 2] != b"\0\1":
            addresses = ()
        records = [
            b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, LIFE, 4) + bytes(map(int, address.split("."))) for address in addresses
        ]
        head = question[:2] + b"\x81\x80" + struct.pack(">HHHH", 1, len(records), 0, 0)
        self.transport.sendto(head + question[12:end] + b"".join(records), sender)

    def connection_made(self, transport):
        self.transport = transport

    async def die(self):
        await asyncio.sleep(DEATH)
        await self.runners[ADDRESSES[1]].cleanup()
        print("died", self.age(), flush=True)

    @web.middleware
    async def tell(self, request, handler):
        print(request.transport.get_extra_info("sockname")[0], self.age(), flush=True)
        answer = await handler(request)
        answer.force_close()
        return answer

    async def master(self, request):
        return live.playlist(live.master(lambda name: f"{name}/media.m3u8"))

    async def media(self, request):
        return live.playlist(live.media(lambda number: f"{number}.ts"))

    async def serve(self):
        port = 0
        for address in ADDRESSES:
            app = web.Application(middlewares=[self.tell])
            app.add_routes([web.get("/master.m3u8", self.master), web.get("/{name}/media.m3u8", self.media)])
            runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
            await runner.setup()
            # Room for every viewer, where a machine is too busy to accept them at once: none of them fails to connect.
            await web.TCPSite(runner, address, port, backlog=1024).start()
            port = runner.addresses[0][1]
            self.runners[address] = runner
        loop = asyncio.get_running_loop()
        names, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=("127.0.0.1", 0))
        print(port, names.get_extra_info("sockname")[1], flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(Pool().serve())
