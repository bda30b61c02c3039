"""What lies over HTTP/2 are made of: a file of the folder lies/http2 sees all names of this module."""

import asyncio
import struct

from http2 import (ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PADDED, PING, PRIORITY, PUSH, RST,
                   SETTINGS, WINDOW, fields, frame, literal, string)


def word(value):
    return struct.pack(">I", value)


def frames(made):
    async def act(exchange):
        await exchange.frames(*made(exchange))
        await exchange.silence()
    return act


def flood(piece):
    async def act(exchange):
        await exchange.forever(piece(exchange) * 500)
    return act
