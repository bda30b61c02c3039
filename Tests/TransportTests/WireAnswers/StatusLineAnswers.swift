import Rulebook

@testable import Transport

extension WireAnswer {
    private static let noStatus = Difference.failed(
        .protocolError,
        status: 0,
        "no status line of HTTP/1; libcurl guesses a version and a status"
    )

    /// Status lines, good and bad, and what is none (RFC 9112 section 4).
    static let statusLines: [WireAnswer] = [
        WireAnswer("no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("blank reason", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("reason at once", "HTTP/1.1 200OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("two blanks", "HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("blank and tab", "HTTP/1.1 \t200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("tab", "HTTP/1.1\t200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("two digits", "HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("leading zero", "HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("negative", "HTTP/1.1 -20 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("plus", "HTTP/1.1 +20 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("letters", "HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("999", "HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("no status", "HTTP/1.1\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("no version", "HTTP/\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("no minor version", "HTTP/1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("HTTP/0.9", "HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("HTTP/1.2", "HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("HTTP/1.10", "HTTP/1.10 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("HTTP/3", "HTTP/3 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer(
            "HTTP/2 in text",
            "HTTP/2 200 OK\r\nContent-Length: 2\r\n\r\nok",
            difference: .failed(.protocolError, status: 0, "HTTP/2 has no status line; libcurl takes this for one")
        ),
        WireAnswer(
            "small letters in the protocol",
            "http/1.1 404 No\r\nContent-Length: 2\r\n\r\nok",
            difference: noStatus
        ),
        WireAnswer("letters in the version", "HTTP/x.y 404 No\r\nContent-Length: 2\r\n\r\nok", difference: noStatus),
        WireAnswer("body without a head", "#EXTM3U\n#EXT-X-VERSION:6\n", closes: true),
        WireAnswer("garbage of one line", "no HTTP at all", closes: true),
        WireAnswer("ICY", "ICY 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("empty line first", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("blank first", " HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        WireAnswer("TLS alert", [UInt8](hex: "15030300020228"), closes: true),
        WireAnswer("HTTP/2 settings", [UInt8](hex: "000000040000000000"), closes: true),
        WireAnswer("NUL bytes", [UInt8](hex: "0000000000000000"), closes: true),
    ]
}
