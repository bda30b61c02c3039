"""A proxy of HTTP (RFC 9110 section 9.3.6, RFC 9112 section 3.2.2) and SOCKS 5 (RFC 1928, RFC 1929) on one port.

Only the standard library. It wants the user `viewer` with the password of --password, and takes each name for loopback.
With --tls CERTIFICATE KEY it is behind TLS. It prints its port, then `connect HOST:PORT` for each tunnel and `forward METHOD URL` for each request that it forwards.

The first connection is lawful. All later ones, with --fault

  407      want other credentials
  502      are not let through
  hang     are never answered
  garbage  are answered with what is neither HTTP nor SOCKS
  close    are closed unanswered
  gone     are refused: the proxy listens no more
"""

import argparse
import asyncio
import base64
import ipaddress
import itertools
import socket
import ssl
import struct
import sys
import threading
import urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("--password", required=True)
parser.add_argument("--fault", default="")
parser.add_argument("--tls", nargs=2)
arguments = parser.parse_args()
CREDENTIALS = "Basic " + base64.b64encode(f"viewer:{arguments.password}".encode()).decode()
ANSWERS = {"407": "Proxy Authentication Required", "502": "Bad Gateway"}


def tell(*words):
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


def exactly(client, count):
    data = b""
    while len(data) < count:
        piece = client.recv(count - len(data))
        if not piece:
            raise ConnectionError
        data += piece
    return data


def upstream(host, port):
    try:
        ipaddress.ip_address(host)
    except ValueError:
        host = "127.0.0.1"
    return socket.create_connection((host, port))


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def tunnel(client, server):
    threading.Thread(target=pump, args=(server, client), daemon=True).start()
    pump(client, server)


def refuse(client, status):
    client.sendall(f"HTTP/1.1 {status} {ANSWERS[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())


def http(client, fault):
    server, data = None, b""
    while True:
        while b"\r\n\r\n" not in data:
            piece = client.recv(65536)
            if not piece:
                return
            data += piece
        head, data = data.split(b"\r\n\r\n", 1)
        line, *fields = head.decode("latin-1").split("\r\n")
        method, place, _ = line.split(" ")
        named = {name.lower(): value.strip() for name, value in (field.split(":", 1) for field in fields)}
        if fault in ANSWERS:
            return refuse(client, fault)
        if named.get("proxy-authorization") != CREDENTIALS:
            return refuse(client, "407")
        if method == "CONNECT":
            tell("connect", place)
            host, port = place.rsplit(":", 1)
            server = upstream(host.strip("[]"), int(port))
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            return tunnel(client, server)
        tell("forward", method, place)
        url = urllib.parse.urlsplit(place)
        if server is None:
            server = upstream(url.hostname, url.port or 80)
            threading.Thread(target=pump, args=(server, client), daemon=True).start()
        path = urllib.parse.urlunsplit(("", "", url.path or "/", url.query, ""))
        kept = [field for field in fields if not field.lower().startswith("proxy-")]
        length = int(named.get("content-length", 0))
        if len(data) < length:
            data += exactly(client, length - len(data))
        server.sendall("\r\n".join([f"{method} {path} HTTP/1.1"] + kept).encode("latin-1") + b"\r\n\r\n" + data[:length])
        data = data[length:]


def socks(client, fault):
    methods = exactly(client, exactly(client, 2)[1])
    if fault == "407" or 2 not in methods:
        return client.sendall(b"\x05\xff")
    client.sendall(b"\x05\x02")
    user = exactly(client, exactly(client, 2)[1])
    password = exactly(client, exactly(client, 1)[0])
    if (user, password) != (b"viewer", arguments.password.encode()):
        return client.sendall(b"\x01\x01")
    client.sendall(b"\x01\x00")
    kind = exactly(client, 4)[3]
    if kind == 3:
        host = exactly(client, exactly(client, 1)[0]).decode()
    else:
        host = str(ipaddress.ip_address(exactly(client, 4 if kind == 1 else 16)))
    port = struct.unpack(">H", exactly(client, 2))[0]
    if fault == "502":
        return client.sendall(b"\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00")
    tell("connect", f"{host}:{port}")
    server = upstream(host, port)
    client.sendall(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
    tunnel(client, server)


def answer(client, fault):
    try:
        if fault == "close":
            client.recv(1)
        elif fault == "hang":
            while client.recv(65536):
                pass
        elif fault == "garbage":
            client.recv(65536)
            client.sendall(b"neither of both\r\n\r\n")
        elif client.recv(1, socket.MSG_PEEK) == b"\x05":
            socks(client, fault)
        else:
            http(client, fault)
    except OSError:
        pass
    finally:
        client.close()


async def carry(source, sink):
    try:
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    except OSError:
        pass
    sink.close()


async def terminate(port):
    async def accept(reader, writer):
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(carry(reader, inner_writer), carry(inner_reader, writer))

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*arguments.tls)
    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=context, backlog=1024)
    tell(str(server.sockets[0].getsockname()[1]))
    await server.serve_forever()


listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
if arguments.tls:
    threading.Thread(target=asyncio.run, args=(terminate(listener.getsockname()[1]),), daemon=True).start()
else:
    tell(str(listener.getsockname()[1]))
for number in itertools.count():
    client, _ = listener.accept()
    fault = arguments.fault if number > 0 else ""
    if arguments.fault == "gone":
        listener.close()
        answer(client, "")
        threading.Event().wait()
    threading.Thread(target=answer, args=(client, fault), daemon=True).start()
