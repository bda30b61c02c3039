@testable import Transport

extension WireAnswer {
    private static func with(_ lines: String, version: String = "1.1") -> String {
        "HTTP/\(version) 200 OK\r\n\(lines)\r\nContent-Length: 2\r\n\r\nok"
    }

    /// Whether the connection is kept (RFC 9112 section 9.3).
    static let connections: [WireAnswer] = [
        WireAnswer("close", with("Connection: close")),
        WireAnswer("close in capitals", with("CONNECTION: CLOSE")),
        WireAnswer("close in a list", with("Connection: upgrade, close")),
        WireAnswer("close in a second header", with("Connection: keep-alive\r\nConnection: close")),
        WireAnswer("close, then keep-alive", with("Connection: close\r\nConnection: keep-alive")),
        WireAnswer("close within a word", with("Connection: disclosed")),
        WireAnswer("close after a carriage return", with("Connection: a\rclose")),
        WireAnswer("close in a fold", with("Connection: a,\r\n close")),
        WireAnswer("close of another header", with("X-Connection: close\r\nConnections: close")),
        WireAnswer("close without a value", with("Connection:")),
        WireAnswer("Keep-Alive header", with("Connection: keep-alive\r\nKeep-Alive: timeout=5, max=100")),
        WireAnswer("Proxy-Connection header", with("Proxy-Connection: close")),
        WireAnswer("HTTP/1.0", with("X: y", version: "1.0")),
        WireAnswer("HTTP/1.0 kept", with("Connection: keep-alive", version: "1.0")),
        WireAnswer("HTTP/1.0 kept in capitals", with("Connection: Keep-Alive", version: "1.0")),
        WireAnswer("HTTP/1.0 kept and closed", with("Connection: keep-alive, close", version: "1.0")),
        WireAnswer("HTTP/1.0 kept, then closed", with("Connection: keep-alive\r\nConnection: close", version: "1.0")),
        WireAnswer("HTTP/1.0 closed, then kept", with("Connection: close\r\nConnection: keep-alive", version: "1.0")),
        WireAnswer("HTTP/1.0 kept by a Keep-Alive header", with("Keep-Alive: timeout=5", version: "1.0")),
        WireAnswer("close of an interim answer", "HTTP/1.1 100 Go\r\nConnection: close\r\n\r\n" + with("X: y")),
        WireAnswer("interim answer of HTTP/1.0", "HTTP/1.0 100 Go\r\n\r\n" + with("X: y")),
        WireAnswer("close of a 204", "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
        WireAnswer(
            "close of chunks",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
    ]
}
