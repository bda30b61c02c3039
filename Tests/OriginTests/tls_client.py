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
