"""A live channel over bare sockets, whose answers say of their own bodies what --fault names; without one, what is lawful."""

import argparse
import gzip
import socket
import threading
import time

SEGMENT_SECONDS = 2
WINDOW = 300
PLAYLIST = "application/vnd.apple.mpegurl"


def master():
    attributes = (
        'BANDWIDTH=5000000,AVERAGE-BANDWIDTH=4500000,RESOLUTION=1280x720,FRAME-RATE=25.000,CODECS="avc1.4d401f,mp4a.40.2"'
    )
    return f"#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-STREAM-INF:{attributes}\nmedia.m3u8\n"


def media():
    last = int(time.time() / SEGMENT_SECONDS) - 1
    first = last - WINDOW + 1
    date = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(first * SEGMENT_SECONDS))
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", f"#EXT-X-TARGETDURATION:{SEGMENT_SECONDS}", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
    lines += ["#EXT-X-INDEPENDENT-SEGMENTS", f"#EXT-X-PROGRAM-DATE-TIME:{date}"]
    for number in range(first, last + 1):
        lines += [f"#EXTINF:{SEGMENT_SECONDS:.3f},", f"segments/{number:016d}.ts"]
    return "\n".join(lines) + "\n"


def chunks(body):
    middle = len(body) // 2
    pieces = [piece for piece in (body[:middle], body[middle:]) if piece]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def answer(path, fault, turn):
    """The bytes of an answer. Lawful ones take turns: plain, equal lengths, chunks, gzip in two members."""
    name = path.split("?")[0]
    fields = ["Cache-Control: no-store"]
    if name.endswith("/master.m3u8"):
        body = master().encode()
    elif name.endswith("/media.m3u8"):
        body = media().encode()
    elif name.endswith(".ts"):
        body = bytes(188)
    else:
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    is_segment = name.endswith(".ts")
    status = "200 OK"
    if not is_segment:
        fields += [f"Content-Type: {PLAYLIST}", "Content-Encoding: gzip", "Vary: Accept-Encoding"]
        if not fault and turn % 4 == 3:
            body = gzip.compress(body[:20]) + gzip.compress(body[20:])
        else:
            body = gzip.compress(body)
    # A channel whose first playlist cannot be read is not asked for more.
    if name.endswith("/media.m3u8"):
        if fault == "cut":
            body = body[: len(body) * 2 // 3]
        if fault == "no_trailer":
            body = body[:-8]
        if fault == "checksum":
            body = body[:-8] + bytes([body[-8] ^ 1]) + body[-7:]
    if fault == "lengths":
        fields += [f"Content-Length: {len(body) + 7}"]
    if fault == "partial":
        status = "206 Partial Content"
        fields += [f"Content-Range: bytes 0-{len(body) - 1}/{len(body) * 2}"]
    if fault == "both" or (not fault and turn % 4 == 2):
        fields += ["Transfer-Encoding: chunked"]
        if fault:
            fields += [f"Content-Length: {len(body)}"]
        body = chunks(body)
    else:
        fields += [f"Content-Length: {len(body)}"]
        if not fault and turn % 4 == 1:
            fields += [f"Content-Length: {len(body)}"]
    head = "".join(f"{line}\r\n" for line in [f"HTTP/1.1 {status}", *fields, ""])
    return head.encode() + body


def serve(connection, fault):
    turn = 0
    with connection, connection.makefile("rb") as requests:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while line := requests.readline():
            while requests.readline().strip():
                pass
            connection.sendall(answer(line.split()[1].decode(), fault, turn))
            turn += 1


def main():
    parser = argparse.ArgumentParser()
    faults = ["", "cut", "no_trailer", "checksum", "lengths", "both", "partial"]
    parser.add_argument("--fault", default="", choices=faults)
    fault = parser.parse_args().fault
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, fault), daemon=True).start()


main()
