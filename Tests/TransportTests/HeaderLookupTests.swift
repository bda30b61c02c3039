import Testing

@testable import Transport

/// Reading a header in place says the same as making a String of it.
@Suite struct HeaderLookupTests {
    @Test(arguments: [
        ("Content-Type: text/plain\r\n", "text/plain"), ("CONTENT-TYPE:text/plain \t\r\n", "text/plain"),
        ("content-type: a\r\nContent-Type: b\r\n", "b"), ("Content-Type:\r\n", ""),
        ("Content-Typed: a\r\nX-Content-Type: b\r\n", nil), ("", nil),
    ]) func aValueIsReadWithoutMakingIt(_ lines: String, _ expected: String?) {
        let head = Array("HTTP/1.1 200 OK\r\nServer: s\r\n\(lines)Date: d\r\n\r\n".utf8)
        head.withUnsafeBytes { bytes in
            let read = HeaderLookup.read("content-type", in: bytes) { value in
                value.map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(read == expected)
            #expect(HeaderLookup.value(of: "content-type", in: bytes) == expected)
        }
    }
}
