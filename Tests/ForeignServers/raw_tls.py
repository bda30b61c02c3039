"""A TLS server that does what Python's ssl cannot: it updates its keys, and it closes without close_notify.

Its arguments are a certificate and its key. It inherits its sockets as descriptors 3 and 4; the second wants a certificate of
clients. A path is the number of key updates before the answer, or:

  /endless      updates without end instead of an answer
  /until-close  an answer that the end of the connection ends
  /until-told   the same, and close_notify before the end
  /short        an answer that ends before its length
"""
import ctypes, ctypes.util, re, socket, sys, threading

tls = ctypes.CDLL(ctypes.util.find_library("ssl"))
POINTER, FILE_IS_PEM, PEER_MUST_HAVE_CERTIFICATE = ctypes.c_void_p, 1, 3
for name, result, arguments in [
    ("TLS_server_method", POINTER, []), ("SSL_CTX_new", POINTER, [POINTER]), ("SSL_new", POINTER, [POINTER]),
    ("SSL_CTX_use_certificate_file", ctypes.c_int, [POINTER, ctypes.c_char_p, ctypes.c_int]),
    ("SSL_CTX_use_PrivateKey_file", ctypes.c_int, [POINTER, ctypes.c_char_p, ctypes.c_int]),
    ("SSL_set_verify", None, [POINTER, ctypes.c_int, POINTER]),
    ("SSL_set_fd", ctypes.c_int, [POINTER, ctypes.c_int]), ("SSL_accept", ctypes.c_int, [POINTER]),
    ("SSL_read", ctypes.c_int, [POINTER, ctypes.c_char_p, ctypes.c_int]),
    ("SSL_write", ctypes.c_int, [POINTER, ctypes.c_char_p, ctypes.c_int]),
    ("SSL_key_update", ctypes.c_int, [POINTER, ctypes.c_int]), ("SSL_do_handshake", ctypes.c_int, [POINTER]),
    ("SSL_shutdown", ctypes.c_int, [POINTER]), ("SSL_free", None, [POINTER]),
]:
    function = getattr(tls, name)
    function.restype, function.argtypes = result, arguments

context = tls.SSL_CTX_new(tls.TLS_server_method())
tls.SSL_CTX_use_certificate_file(context, sys.argv[1].encode(), FILE_IS_PEM)
tls.SSL_CTX_use_PrivateKey_file(context, sys.argv[2].encode(), FILE_IS_PEM)


def serve(peer, is_strict):
    with peer:
        connection = tls.SSL_new(context)
        if is_strict:
            tls.SSL_set_verify(connection, PEER_MUST_HAVE_CERTIFICATE, None)
        tls.SSL_set_fd(connection, peer.fileno())
        request = ctypes.create_string_buffer(1 << 16)
        if tls.SSL_accept(connection) == 1:
            while (count := tls.SSL_read(connection, request, len(request))) > 0:
                if not answer(connection, request.raw[:count].split()[1].decode()):
                    break
        else:
            # A reset would overtake the alert.
            while peer.recv(4096):
                pass
        tls.SSL_free(connection)


def answer(connection, path):
    wanted = re.fullmatch(r"/(\d+)", path)
    left = int(wanted[1]) if wanted else (-1 if path == "/endless" else 0)
    while left != 0:
        if tls.SSL_key_update(connection, 0) != 1 or tls.SSL_do_handshake(connection) != 1:
            return False
        left -= 1
    length = {"/until-close": b"", "/until-told": b"", "/short": b"Content-Length: 9\r\n"}.get(path, b"Content-Length: 4\r\n")
    body = b"HTTP/1.1 200 OK\r\n" + length + b"\r\nfine"
    is_written = tls.SSL_write(connection, body, len(body)) > 0
    if path == "/until-told":
        tls.SSL_shutdown(connection)
    return is_written and wanted is not None


def listen(descriptor):
    listener = socket.socket(fileno=descriptor)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0], descriptor == 4), daemon=True).start()


threading.Thread(target=listen, args=(4,), daemon=True).start()
listen(3)
