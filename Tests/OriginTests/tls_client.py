"""A client that hands TLS each byte itself, so that it can cut them as it likes and see how a connection ends."""
import socket, ssl, sys

REQUEST = b"GET /live/main/360p/media.m3u8 HTTP/1.1\r\nHost: a\r\n%s\r\n"

class Client:
    def __init__(self, step=1 << 20, window=None, session=None, newest=ssl.TLSVersion.TLSv1_3):
        context = ssl.create_default_context(cafile=sys.argv[2])
        context.maximum_version = newest
        self.step, self.incoming, self.outgoing = step, ssl.MemoryBIO(), ssl.MemoryBIO()
        self.socket = socket.socket()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if window: self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        self.socket.connect(("127.0.0.1", int(sys.argv[1])))
        self.context = session[0] if session else context
        self.tls = self.context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost",
                                         session=session[1] if session else None)
        self.until_done(self.tls.do_handshake)

    def send_outgoing(self):
        waiting = self.outgoing.read()
        for start in range(0, len(waiting), self.step):
            self.socket.sendall(waiting[start:start + self.step])

    def until_done(self, call, *arguments):
        while True:
            try:
                return call(*arguments)
            except ssl.SSLWantReadError:
                self.send_outgoing()
                received = self.socket.recv(1 << 14)
                if received: self.incoming.write(received)
                else: self.incoming.write_eof()
            finally:
                self.send_outgoing()

    def ask(self, fields=b""):
        self.until_done(self.tls.write, REQUEST % fields)

    # All that comes up to the peer's close_notify; an end without it is an error.
    def read_to_end(self, step=1 << 14):
        answer = b""
        while piece := self.read(step): answer += piece
        return answer

    def read(self, step=1 << 14):
        try:
            return self.until_done(self.tls.read, step)
        except ssl.SSLZeroReturnError:
            return b""


CLOSE = b"Connection: close\r\n"


def print_status(client):
    print(client.read_to_end().decode()[:15])


def at_once(step=1 << 20):
    client = Client(step=step)
    client.ask(CLOSE)
    print_status(client)


def byte_by_byte():
    at_once(step=1)


def goodbye_first():
    client = Client()
    client.tls.write(REQUEST % b"")
    try: client.tls.unwrap()
    except ssl.SSLWantReadError: pass
    client.send_outgoing()
    print_status(client)


# The path of a segment, how many of fifty answers came over one connection, and the digest of the last body.
def large():
    import hashlib
    client = Client(window=4096)
    client.ask()
    name = [line for line in client.read().decode().splitlines() if line.endswith(".m4s")][0]
    path = "/live/main/360p/" + name.split("/")[-1]
    slow = Client(window=4096)
    one = b"GET %s HTTP/1.1\r\nHost: a\r\n" % path.encode()
    slow.until_done(slow.tls.write, (one + b"\r\n") * 49 + one + CLOSE + b"\r\n")
    answers = slow.read_to_end(step=700)
    body = answers[answers.rindex(b"\r\n\r\n") + 4:]
    print(path, answers.count(b"HTTP/1.1 200 OK\r\n"), hashlib.sha256(body).hexdigest())


def resumed(version):
    first = Client(newest=ssl.TLSVersion[version])
    first.ask()
    first.read()
    again = Client(session=(first.context, first.tls.session))
    again.ask(CLOSE)
    print(first.tls.session_reused, again.tls.session_reused, again.read_to_end().decode()[:15])


# A record that cannot be decrypted, and half a ClientHello.
def nonsense():
    client = Client()
    client.socket.sendall(b"\x17\x03\x03\x00\x20" + bytes(32))
    while client.socket.recv(100): pass
    half = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    half.sendall(b"\x16\x03\x01\x02\x00")
    half.shutdown(socket.SHUT_WR)
    print(len(half.recv(100)))


def reset():
    client = Client()
    client.ask()
    try: print(client.read())
    except ConnectionResetError: print("reset")


def truncated():
    client = Client()
    client.ask()
    head, body = client.read_to_end().split(b"\r\n\r\n", 1)
    length = [int(line.split(b":")[1]) for line in head.splitlines() if line.startswith(b"Content-Length")][0]
    print(len(body) == length // 2)


def kept_open():
    client = Client()
    client.ask()
    client.read()
    print(len(client.read_to_end()))
