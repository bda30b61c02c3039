import Rulebook

@testable import Transport

extension WireAnswer {
    private static func inChunks(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    }

    /// The chunked transfer coding (RFC 9112 section 7.1) and other transfer codings.
    static let chunked: [WireAnswer] = [
        WireAnswer("one chunk", inChunks("5\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("two chunks", inChunks("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")),
        WireAnswer("no chunk", inChunks("0\r\n\r\n")),
        WireAnswer("size in hexadecimal", inChunks("00a\r\n0123456789\r\nB\r\n0123456789a\r\n000\r\n\r\n")),
        WireAnswer("extensions", inChunks("5;a=b;c=\"d\"\r\nhello\r\n0;last\r\n\r\n")),
        WireAnswer("size and junk", inChunks("5 junk\r\nhello\r\n0 \r\n\r\n")),
        WireAnswer("trailer", inChunks("5\r\nhello\r\n0\r\nX: y\r\n\r\n")),
        WireAnswer("trailers", inChunks("5\r\nhello\r\n0\r\nContent-Type: late\r\nX: y\r\n z\r\n\r\n")),
        WireAnswer("trailer that begins with a blank", inChunks("5\r\nhello\r\n0\r\n folded\r\n\r\n")),
        WireAnswer(
            "trailer without a colon",
            inChunks("5\r\nhello\r\n0\r\nnonsense\r\n\r\n"),
            difference: .failed(.protocolError, status: 200, "a malformed trailer; libcurl blames its own caller")
        ),
        WireAnswer(
            "NUL in a trailer",
            inChunks("5\r\nhello\r\n0\r\nX: a\0\r\n\r\n"),
            difference: .failed(.protocolError, status: 200, "a malformed trailer; libcurl blames its own caller")
        ),
        WireAnswer("trailer of a line feed only", inChunks("5\r\nhello\r\n0\r\nX: y\n\r\n")),
        WireAnswer("trailer and a carriage return", inChunks("5\r\nhello\r\n0\r\nX: y\rZ\r\n\r\n")),
        WireAnswer("line feeds only in chunks", inChunks("5\nhello\n0\n\n")),
        WireAnswer("carriage returns after data", inChunks("5\r\nhello\r\r\r\n0\r\n\r\n")),
        WireAnswer("no line end after data", inChunks("5\r\nhello0\r\n\r\n")),
        WireAnswer("too little said of a chunk", inChunks("4\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("too much said of a chunk", inChunks("6\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("no size", inChunks("\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("blank before the size", inChunks(" 5\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("letters for a size", inChunks("zz\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("negative size", inChunks("-5\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("size of 16 digits", inChunks("0000000000000005\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("size of 17 digits", inChunks("00000000000000005\r\nhello\r\n0\r\n\r\n")),
        WireAnswer("size of 63 bits", inChunks("7fffffffffffffff\r\nhello"), closes: true),
        WireAnswer("size of 64 bits", inChunks("8000000000000000\r\nhello"), closes: true),
        WireAnswer("hexadecimal prefix", inChunks("0x5\r\n\r\n")),
        WireAnswer("cut off in a size", inChunks("5"), closes: true),
        WireAnswer("cut off in a chunk", inChunks("5\r\nhel"), closes: true),
        WireAnswer("cut off after a chunk", inChunks("5\r\nhello\r\n"), closes: true),
        WireAnswer("cut off after the last size", inChunks("5\r\nhello\r\n0\r\n"), closes: true),
        WireAnswer("cut off in a trailer", inChunks("5\r\nhello\r\n0\r\nX: "), closes: true),
        WireAnswer("cut off before the last byte", inChunks("5\r\nhello\r\n0\r\n\r"), closes: true),
        WireAnswer("bad end after the last size", inChunks("5\r\nhello\r\n0\r\n\rX")),
        WireAnswer(
            "bytes after the last chunk",
            inChunks("5\r\nhello\r\n0\r\n\r\nmore"),
            difference: .notKept(
                "hello",
                "bytes after an answer could be taken for the next one; libcurl drops what it has read of them"
            )
        ),
        WireAnswer(
            "length before chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        ),
        WireAnswer(
            "length after chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        ),
        WireAnswer(
            "bad length and chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: x\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        ),
        WireAnswer(
            "chunks by HTTP/1.0",
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        ),
        WireAnswer("chunked in capitals", "HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: CHUNKED\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
        WireAnswer(
            "chunked twice",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        ),
        WireAnswer(
            "identity and chunked",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        ),
        WireAnswer(
            "chunked in a second header",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        ),
        WireAnswer(
            "identity in a second header",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        ),
        WireAnswer("chunked with a parameter", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n"),
        WireAnswer(
            "identity as a transfer coding",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nhello",
            closes: true
        ),
        WireAnswer(
            "empty transfer coding",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\nContent-Length: 2\r\n\r\nhello",
            closes: true
        ),
        WireAnswer("unknown transfer coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: odd\r\n\r\nhello", closes: true),
        WireAnswer(
            "unknown and chunked",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: odd, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        ),
    ]
}
