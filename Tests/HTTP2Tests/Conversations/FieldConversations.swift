/// Fields that a head must and must not have.
extension Conversation {
    @ConversationList static var fields: [Conversation] {
        malformed("no status", [("server", "x")])
        Conversation(
            "a malformed head, and another's",
            "8.1.1",
            Frame.head([(":stasut", "200")]) + Frame.head([(":status", "200")], stream: 3)
                + Frame.data("b", stream: 3),
            [.reset(1), .answered("HTTP/1.1 200\r\n\r\nb")]
        )
        malformed("two statuses", [(":status", "200"), (":status", "200")])
        malformed("a status after other fields", [("server", "x"), (":status", "200")])
        malformed("a pseudo-header that nobody knows", [(":status", "200"), (":x", "1")])
        malformed("a pseudo-header of requests", [(":status", "200"), (":path", "/")])
        malformed("a status of letters", [(":status", "abc")])
        malformed("a status of two digits", [(":status", "20")])
        malformed("a status of four digits", [(":status", "2000")])
        malformed("an empty status", [(":status", "")])
        malformed("connection", [(":status", "200"), ("connection", "close")])
        malformed("keep-alive", [(":status", "200"), ("keep-alive", "5")])
        malformed("proxy-connection", [(":status", "200"), ("proxy-connection", "close")])
        malformed("transfer-encoding", [(":status", "200"), ("transfer-encoding", "chunked")])
        malformed("upgrade", [(":status", "200"), ("upgrade", "h2c")])
        malformed("a length that is no number", [(":status", "200"), ("content-length", "x")])
        malformed("a negative length", [(":status", "200"), ("content-length", "-1")])
        malformed("a length beyond all numbers", [(":status", "200"), ("content-length", "99999999999999999999")])
        malformed("two lengths", [(":status", "200"), ("content-length", "1"), ("content-length", "2")])
        malformed("a length and no body", [(":status", "200"), ("content-length", "1")])
        for conversation in ignored { conversation }
        answered(
            "a field whose value is empty",
            "8.2",
            Frame.head([(":status", "200"), ("a", "")], ends: true),
            "HTTP/1.1 200\r\na: \r\n\r\n"
        )
        answered(
            "one field twice",
            "8.2",
            Frame.head([(":status", "200"), ("via", "a"), ("via", "b")], ends: true),
            "HTTP/1.1 200\r\nvia: a\r\nvia: b\r\n\r\n"
        )
        answered(
            "bytes beyond ASCII in a value",
            "8.2.1",
            Frame.head([(":status", "200"), ("a", "ü")], ends: true),
            "HTTP/1.1 200\r\na: ü\r\n\r\n"
        )
        Conversation(
            "more header lines than anybody sends",
            "10.5.1",
            Frame.of(
                .headers,
                flags: Frame.endHeaders | Frame.endStream,
                stream: 1,
                Field.ok + Field.kept("a", String(repeating: "v", count: 3000))
                    + [UInt8](repeating: 0xbe, count: 40)
            ),
            [.reset(2)]
        )
    }

    /// RFC 9113 section 8.1.1: the stream is reset with PROTOCOL_ERROR.
    private static func malformed(_ name: String, _ fields: [(String, String)]) -> Conversation {
        Conversation(name, "8.1.1, 8.2.2, 8.3", Frame.head(fields, ends: true), [.reset(1)])
    }

    /// What is no field at all: nghttp2 leaves it out, or resets the stream.
    @ConversationList private static var ignored: [Conversation] {
        Conversation(
            "a name with capitals",
            "8.2.1",
            Frame.head([(":status", "200"), ("A", "b")], ends: true),
            [.reset(1)]
        )
        Conversation(
            "a name with a blank",
            "8.2.1",
            Frame.head([(":status", "200"), ("a b", "c")], ends: true),
            [.reset(1)]
        )
        Conversation(
            "an empty name",
            "8.2.1",
            Frame.head([(":status", "200"), ("", "c")], ends: true),
            [.reset(1)]
        )
        Conversation(
            "a line end in a value",
            "8.2.1",
            Frame.head([(":status", "200"), ("a", "b\r\nc: d")], ends: true),
            [.reset(1)]
        )
        Conversation(
            "a NUL in a value",
            "8.2.1",
            Frame.head([(":status", "200"), ("a", "b\0")], ends: true),
            [.reset(1)]
        )
        Conversation(
            "a blank before a value",
            "8.2.1",
            Frame.head([(":status", "200"), ("a", " b")], ends: true),
            [.reset(1)]
        )
        Conversation(
            "a blank after a value",
            "8.2.1",
            Frame.head([(":status", "200"), ("a", "b ")], ends: true),
            [.reset(1)]
        )
    }
}
