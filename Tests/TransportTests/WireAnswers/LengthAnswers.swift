@testable import Transport

extension WireAnswer {
    private static let swallowed = Difference.notKept(
        status: 204,
        "",
        "bytes after an answer could be taken for the next one; libcurl drops what it has read of them"
    )

    private static func withLength(_ value: String, _ body: String = "hello") -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\n\(body)"
    }

    /// Bodies of a length, without one, and without a body (RFC 9112 section 6.3).
    static let lengths: [WireAnswer] = [
        WireAnswer("length 0", withLength("0", "")),
        WireAnswer("two equal lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
        WireAnswer("a shorter length last", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 5\r\n\r\nhello"),
        WireAnswer("a longer length last", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nhello"),
        WireAnswer("a list of lengths", withLength("5, 5")),
        WireAnswer("a list of lengths that differ", withLength("5, 6")),
        WireAnswer("length with a plus", withLength("+5")),
        WireAnswer("length with zeros", withLength("0000000000000000000000005")),
        WireAnswer("length and junk", withLength("5 bytes")),
        WireAnswer("hexadecimal length", withLength("0x5", "")),
        WireAnswer("fractional length", withLength("5.9")),
        WireAnswer("negative length", withLength("-5")),
        WireAnswer("plus and minus", withLength("+-5")),
        WireAnswer("plus only", withLength("+")),
        WireAnswer("no length", withLength("")),
        WireAnswer("letters for a length", withLength("five")),
        WireAnswer("vertical tab before a length", withLength("\u{b}5")),
        WireAnswer("length of 63 bits", withLength("9223372036854775807"), closes: true),
        WireAnswer("length of 64 bits", withLength("9223372036854775808"), closes: true),
        WireAnswer("length of 200 digits", withLength(String(repeating: "9", count: 200)), closes: true),
        WireAnswer(
            "length, then one too great",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 99999999999999999999\r\n\r\nhello",
            closes: true
        ),
        WireAnswer("body cut off", withLength("6"), closes: true),
        WireAnswer("body missing", withLength("6", ""), closes: true),
        WireAnswer("bytes after the body", withLength("4")),
        WireAnswer("an answer after the answer", withLength("5") + withLength("5")),
        WireAnswer("closes after a body", withLength("5"), closes: true),
        WireAnswer("until the end", "HTTP/1.1 200 OK\r\n\r\nhello", closes: true),
        WireAnswer("until the end, empty", "HTTP/1.1 200 OK\r\n\r\n", closes: true),
        WireAnswer("HTTP/1.0 until the end", "HTTP/1.0 200 OK\r\n\r\nhello", closes: true),
        WireAnswer(
            "until the end, kept in vain",
            "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\nhello",
            closes: true
        ),
        WireAnswer("204", "HTTP/1.1 204 No Content\r\n\r\n"),
        WireAnswer("204 with a length", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"),
        WireAnswer("204 with a bad length", "HTTP/1.1 204 No Content\r\nContent-Length: -5\r\n\r\n"),
        WireAnswer("204 in chunks", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n"),
        WireAnswer("204 and a body", "HTTP/1.1 204 No Content\r\n\r\nbody", difference: swallowed),
        WireAnswer("304", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"),
        WireAnswer(
            "304 with the length of what it stands for",
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 2108\r\n\r\n"
        ),
        WireAnswer(
            "304 with a coding",
            "HTTP/1.1 304 Not Modified\r\nContent-Encoding: br\r\nTransfer-Encoding: gzip\r\n\r\n"
        ),
        WireAnswer("304 of HTTP/1.0", "HTTP/1.0 304 Not Modified\r\n\r\n", closes: true),
        WireAnswer("205", "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"),
        WireAnswer("101 and bytes", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nnews", closes: true),
        WireAnswer("101 and nothing", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", closes: true),
        WireAnswer("101 with a length", "HTTP/1.1 101 Switching\r\nContent-Length: 2\r\n\r\nnews", closes: true),
        WireAnswer("206", "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-4/9\r\nContent-Length: 5\r\n\r\nhello"),
        WireAnswer("401", "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno"),
        WireAnswer("302 without a place", "HTTP/1.1 302 Found\r\nContent-Length: 5\r\n\r\nhello"),
        WireAnswer("503", "HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nbusy"),
    ]
}
