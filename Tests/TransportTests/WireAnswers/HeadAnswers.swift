import Rulebook

@testable import Transport

extension WireAnswer {
    private static let cutHead = Difference.failed(
        .truncated,
        status: 200,
        "RFC 9112 section 8 calls an answer with a head cut off incomplete; libcurl takes it for an empty one"
    )

    /// Header lines, their ends, folds and interim heads.
    static let heads: [WireAnswer] = [
        WireAnswer("plain", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer(
            "as an origin sends it",
            "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\n"
                + "Content-Type: application/vnd.apple.mpegurl\r\nContent-Length: 8\r\n"
                + "Last-Modified: Sat, 21 Nov 2026 09:59:58 GMT\r\nConnection: keep-alive\r\n"
                + "ETag: \"64-8\"\r\nCache-Control: max-age=1\r\nAccept-Ranges: bytes\r\n\r\n#EXTM3U\n"
        ),
        WireAnswer("line feeds only", "HTTP/1.1 200 OK\nContent-Type: a/b\nContent-Length: 2\n\nok"),
        WireAnswer("line ends mixed", "HTTP/1.1 200 OK\nContent-Type: a/b\r\nContent-Length: 2\n\r\nok"),
        WireAnswer("two carriage returns", "HTTP/1.1 200 OK\r\r\nContent-Length: 2\r\r\n\r\nok"),
        WireAnswer("head ended by a carriage return and more", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\rX: y\nok"),
        WireAnswer("empty value", "HTTP/1.1 200 OK\r\nContent-Type:\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("blank value", "HTTP/1.1 200 OK\r\nContent-Type:  \t \r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("white space around", "HTTP/1.1 200 OK\r\nContent-Type: \t a b \t\r\nContent-Length:\t2 \r\n\r\nok"),
        WireAnswer("no white space", "HTTP/1.1 200 OK\r\nContent-Type:a/b\r\nContent-Length:2\r\n\r\nok"),
        WireAnswer("capitals", "HTTP/1.1 200 OK\r\nCONTENT-TYPE: A/B\r\nCONTENT-LENGTH: 2\r\n\r\nok"),
        WireAnswer("small letters", "HTTP/1.1 200 OK\r\ncontent-type: a/b\r\ncontent-length: 2\r\n\r\nok"),
        WireAnswer(
            "a header twice",
            "HTTP/1.1 200 OK\r\nContent-Type: a\r\nContent-Type: b\r\nContent-Length: 0\r\n\r\n"
        ),
        WireAnswer("value with a colon", "HTTP/1.1 200 OK\r\nContent-Type: a:b:c\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer(
            "value beyond ASCII",
            "HTTP/1.1 200 OK\r\nContent-Type: \u{e4}\u{20ac}\r\nContent-Length: 2\r\n\r\nok"
        ),
        WireAnswer(
            "value with a carriage return",
            "HTTP/1.1 200 OK\r\nContent-Type: a\rb\r\nContent-Length: 2\r\n\r\nok"
        ),
        WireAnswer("folded", "HTTP/1.1 200 OK\r\nContent-Type: a;\r\n b=c\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("folded by a tab", "HTTP/1.1 200 OK\r\nContent-Type: a;\r\n\tb=c\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer(
            "folded twice",
            "HTTP/1.1 200 OK\r\nContent-Type: a\r\n \t b \r\n   c\r\nContent-Length: 2\r\n\r\nok"
        ),
        WireAnswer(
            "folded with nothing",
            "HTTP/1.1 200 OK\r\nContent-Type: a\r\n  \r\n b\r\nContent-Length: 2\r\n\r\nok"
        ),
        WireAnswer("folded from nothing", "HTTP/1.1 200 OK\r\nContent-Type:\r\n b\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer(
            "a length in a fold",
            "HTTP/1.1 200 OK\r\nX: a\r\n Content-Length: 5\r\nContent-Length: 2\r\n\r\nok"
        ),
        WireAnswer("a folded length", "HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\nok"),
        WireAnswer("blank first header", "HTTP/1.1 200 OK\r\n folded\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("no colon", "HTTP/1.1 200 OK\r\nContent-Type a/b\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("no name", "HTTP/1.1 200 OK\r\n: a\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("blank before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 5\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("NUL in a value", "HTTP/1.1 200 OK\r\nContent-Type: a\0b\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("NUL in a name", "HTTP/1.1 200 OK\r\nX\0: a\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("NUL in the status line", "HTTP/1.1 200 O\0\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("100 first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer(
            "103 with headers first",
            "HTTP/1.1 103 Early Hints\r\nContent-Type: early\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        ),
        WireAnswer(
            "many interim answers",
            String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 20)
                + "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"
        ),
        WireAnswer(
            "interim answer with a length",
            "HTTP/1.1 103 Early\r\nContent-Length: 7\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        ),
        WireAnswer("interim answer and garbage", "HTTP/1.1 100 Continue\r\n\r\ngarbage\r\n\r\n"),
        WireAnswer("interim answer only", "HTTP/1.1 100 Continue\r\n\r\n", closes: true),
        WireAnswer(
            "interim head cut off",
            "HTTP/1.1 100 Continue\r\nX: y\r\n",
            closes: true,
            difference: .failed(.truncated, status: 100, cutHead.reason)
        ),
        WireAnswer("part of a status line", "HTTP/1.1 20", closes: true),
        WireAnswer("one letter", "H", closes: true),
        WireAnswer("status line only", "HTTP/1.1 200 OK\r\n", closes: true, difference: cutHead),
        WireAnswer("head cut off", "HTTP/1.1 200 OK\r\nX: y\r\nContent-Ty", closes: true, difference: cutHead),
        WireAnswer("head cut off after a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", closes: true),
        WireAnswer(
            "head cut off after no length",
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
            closes: true,
            difference: cutHead
        ),
        WireAnswer("head cut off at its end", "HTTP/1.1 200 OK\r\nX: y\r\n\r", closes: true, difference: cutHead),
    ]

    /// Bytes of heads beyond the limits, and bodies beyond them.
    static let limited: [WireAnswer] = [
        WireAnswer("header too long", "HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 1000) + "\r\n\r\n"),
        WireAnswer(
            "too many headers",
            "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 170) + "Content-Length: 0\r\n\r\n"
        ),
        WireAnswer(
            "too many interim answers",
            String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 50) + "HTTP/1.1 204 No Content\r\n\r\n"
        ),
        WireAnswer(
            "headers up to the limit",
            "HTTP/1.1 204 OK\r\nX: " + String(repeating: "y", count: 1000 - 17 - 3 - 4) + "\r\n\r\n"
        ),
        WireAnswer(
            "headers one over the limit",
            "HTTP/1.1 204 OK\r\nX: " + String(repeating: "y", count: 1000 - 17 - 3 - 3) + "\r\n\r\n"
        ),
        WireAnswer(
            "trailers over the limit",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: "
                + String(repeating: "y", count: 950) + "\r\n\r\n"
        ),
        WireAnswer(
            "body of the limit",
            "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000)
        ),
        WireAnswer(
            "body one over the limit",
            "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n" + String(repeating: "x", count: 1001)
        ),
        WireAnswer(
            "body over the limit in chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "64\r\n" + String(repeating: "x", count: 100) + "\r\n", count: 11) + "0\r\n\r\n"
        ),
        WireAnswer(
            "body over the limit until the end",
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1001),
            closes: true
        ),
        WireAnswer(
            "announced over the limit and cut off",
            "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\nx",
            closes: true
        ),
        WireAnswer(
            "decompression bomb",
            answer(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 40\r\n\r\n",
                hex: "1f8b0800000000000203edc13101000000c2a0f54f6d0a3fa00000000080b701a80ee5d888130000"
            )
        ),
    ]
}
