"""A server that lies, over HTTP/1.1 on one port and over HTTP/2 without TLS on another.

Each lie has a name, and is told to whoever asks for a path that begins with it or sends it in the field `Lie`; all else is a
true channel. The first line that is printed is JSON: the two ports, and the table of lies with the outcomes that are right.
After that a line names each lie when it is told for the first time.
"""

import asyncio
import json

import http1
import http2
from table import LIES

KINDS = {
    "registration", "multivariant", "playlist", "pod_manifest", "asset_list", "metadata", "steering", "pod_segment",
    "verification",
}


async def run():
    plain = http1.Server(LIES)
    framed = http2.Server(LIES)
    one = await asyncio.start_server(plain.connection, "127.0.0.1", 0, backlog=4096, limit=1 << 17)
    two = await asyncio.start_server(framed.connection, "127.0.0.1", 0, backlog=4096)
    ports = [server.sockets[0].getsockname()[1] for server in (one, two)]
    table = [known.told() for known in LIES.values()]
    # As many as there are said to be, of every kind of request.
    assert len(table) >= 380
    assert {lie["kind"] for lie in table} == KINDS
    print(json.dumps({"http1": ports[0], "http2": ports[1], "lies": table}), flush=True)
    await asyncio.Event().wait()


asyncio.run(run())
