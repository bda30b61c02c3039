"""Stands between a client and a server, and is slow on purpose: `slow_wire.py FAULT UPSTREAM_PORT`.

`half`: on every connection but the first, half of what the server sends comes after its first answers, then nothing.
`late`: on every connection but the first, the server is there fifteen seconds after the client has connected.

Writes its port on a line of its own, and ends with its standard input.
"""

import socket
import sys
import threading
import time

LATE_SECONDS = 15
# The handshake, the settings, and the answer to a registration.
PIECES_IN_FULL = 4


def pass_on(source, target):
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
    except OSError:
        pass


def serve(client, fault, upstream):
    if fault == "late":
        time.sleep(LATE_SECONDS)
    with client, socket.create_connection(("127.0.0.1", upstream)) as server:
        threading.Thread(target=pass_on, args=(client, server), daemon=True).start()
        if fault != "half":
            pass_on(server, client)
            return
        try:
            for _ in range(PIECES_IN_FULL):
                client.sendall(server.recv(65536))
            piece = server.recv(65536)
            client.sendall(piece[: len(piece) // 2])
            while server.recv(65536):
                pass
        except OSError:
            pass


def main():
    fault, upstream = sys.argv[1], int(sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def accept():
        # A run looks first whether its target is there.
        own = "none"
        while True:
            client, _ = listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=serve, args=(client, own, upstream), daemon=True).start()
            own = fault

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


main()
