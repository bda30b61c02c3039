import base64, json, struct, sys, zlib
def pack(counts, digits=3, highest=3600000000, lowest=1, offset=0, length=None, ratio=1.0):
    payload = struct.pack(">IIIIQQd", 0x1c849313, len(counts) if length is None else length, offset,
                          digits, lowest, highest, ratio) + counts
    body = zlib.compress(payload)
    return base64.b64encode(struct.pack(">II", 0x1c849314, len(body)) + body).decode()
print(json.dumps([
    pack(b"\x02"),
    pack(b"\x02", digits=4), pack(b"\x02", digits=0), pack(b"\x02", highest=10),
    pack(b"\x02", lowest=0), pack(b"\x02", offset=1), pack(b"\x02", ratio=2.0),
    pack(b"\x02", length=2), pack(b"\x02", length=0xffffffff),
    pack(b"\x02" * 30000), pack(b"\x00" * (1 << 26)), pack(b"\x80"), pack(b"\xff" * 9),
    pack(b"\xfe" + b"\xff" * 8), pack(b"\x01" + b"\xff" * 8), pack(b""),
    pack(b"\xff\xff\xff\xff\x0f\x02"),
]))
