/// Heads of answers.
extension Conversation {
    @ConversationList static var heads: [Conversation] {
        answered("a status alone", "8.3.2", Frame.head([(":status", "200")], ends: true), "HTTP/1.1 200\r\n\r\n")
        answered(
            "a status of the static table",
            "RFC 7541 appendix A",
            Frame.of(.headers, flags: Frame.endHeaders | Frame.endStream, stream: 1, Field.ok),
            "HTTP/1.1 200\r\n\r\n"
        )
        answered(
            "fields and a body",
            "8.1",
            Frame.head([(":status", "200"), ("server", "x"), ("etag", "\"1\"")]) + Frame.data("body"),
            "HTTP/1.1 200\r\nserver: x\r\netag: \"1\"\r\n\r\nbody"
        )
        answered("any status", "8.3.2", Frame.head([(":status", "599")], ends: true), "HTTP/1.1 599\r\n\r\n")
        answered(
            "a field kept and named again",
            "RFC 7541 section 6.2.1",
            Frame.of(
                .headers,
                flags: Frame.endHeaders | Frame.endStream,
                stream: 1,
                Field.ok + Field.kept("a", "b") + [0xbe]
            ),
            "HTTP/1.1 200\r\na: b\r\na: b\r\n\r\n"
        )
        answered(
            "a value in Huffman code",
            "RFC 7541 appendix C.6.1",
            Frame.of(
                .headers,
                flags: Frame.endHeaders | Frame.endStream,
                stream: 1,
                [0x48, 0x82, 0x64, 0x02]
            ),
            "HTTP/1.1 302\r\n\r\n"
        )
        answered(
            "a table made smaller at the beginning of a block",
            "RFC 7541 section 6.3",
            Frame.of(.headers, flags: Frame.endHeaders | Frame.endStream, stream: 1, [0x20] + Field.ok),
            "HTTP/1.1 200\r\n\r\n"
        )
        Conversation(
            "a table made larger than allowed",
            "RFC 7541 section 6.3",
            Frame.of(
                .headers,
                flags: Frame.endHeaders | Frame.endStream,
                stream: 1,
                Field.integer(1 << 20, prefix: 5, mark: 0x20) + Field.ok
            ),
            violation: 9
        )
        Conversation(
            "an index of zero",
            "RFC 7541 section 6.1",
            Frame.of(.headers, flags: Frame.endHeaders | Frame.endStream, stream: 1, [0x80]),
            violation: 9
        )
        Conversation(
            "an index of nothing",
            "RFC 7541 section 2.3.3",
            Frame.of(.headers, flags: Frame.endHeaders | Frame.endStream, stream: 1, Field.ok + [0xfe]),
            violation: 9
        )
        Conversation(
            "a string longer than its block",
            "RFC 7541 section 5.2",
            Frame.of(.headers, flags: Frame.endHeaders | Frame.endStream, stream: 1, Field.ok + [0, 5, 97]),
            violation: 9
        )
        Conversation(
            "a number that never ends",
            "RFC 7541 section 5.1",
            Frame.of(
                .headers,
                flags: Frame.endHeaders | Frame.endStream,
                stream: 1,
                [0xff] + [UInt8](repeating: 0xff, count: 12)
            ),
            violation: 9
        )
        answered(
            "a head in two frames",
            "6.10",
            Frame.of(.headers, flags: Frame.endStream, stream: 1, Field.ok)
                + Frame.of(.continuation, flags: Frame.endHeaders, stream: 1, Field.literal("a", "b")),
            "HTTP/1.1 200\r\na: b\r\n\r\n"
        )
        answered(
            "a head in three frames, one of them empty",
            "6.10",
            Frame.of(.headers, flags: Frame.endStream, stream: 1)
                + Frame.of(.continuation, stream: 1, Field.ok)
                + Frame.of(.continuation, flags: Frame.endHeaders, stream: 1),
            "HTTP/1.1 200\r\n\r\n"
        )
        Conversation(
            "another frame within a head",
            "6.10",
            Frame.of(.headers, stream: 1, Field.ok) + Frame.of(.ping, [UInt8](repeating: 0, count: 8)),
            violation: 1
        )
        Conversation(
            "a head that goes on on another stream",
            "6.10",
            Frame.of(.headers, stream: 1, Field.ok) + Frame.of(.continuation, flags: Frame.endHeaders, stream: 3),
            violation: 1
        )
        Conversation(
            "a continuation of nothing",
            "6.10",
            Frame.of(.continuation, flags: Frame.endHeaders, stream: 1, Field.ok),
            violation: 1
        )
        answered(
            "a padded head",
            "6.2",
            Frame.of(
                .headers,
                flags: Frame.endHeaders | Frame.endStream | Frame.padded,
                stream: 1,
                [2] + Field.ok + [0, 0]
            ),
            "HTTP/1.1 200\r\n\r\n"
        )
        Conversation(
            "padding longer than its head",
            "6.2",
            Frame.of(.headers, flags: Frame.endHeaders | Frame.padded, stream: 1, [9] + Field.ok),
            violation: 1
        )
        answered(
            "a head with a priority",
            "6.2",
            Frame.of(
                .headers,
                flags: Frame.endHeaders | Frame.endStream | Frame.prioritised,
                stream: 1,
                [0, 0, 0, 0, 9] + Field.ok
            ),
            "HTTP/1.1 200\r\n\r\n"
        )
        Conversation("a head on stream 0", "6.2", Frame.head([(":status", "200")], stream: 0), violation: 1)
        Conversation(
            "a head on a stream of the server's",
            "5.1.1",
            Frame.head([(":status", "200")], stream: 2),
            violation: 1
        )
        Conversation(
            "a head on a stream that nobody opened",
            "5.1",
            Frame.head([(":status", "200")], stream: 9),
            violation: 1
        )
        answered(
            "early hints before the answer",
            "8.1",
            Frame.head([(":status", "103"), ("link", "a")]) + Frame.head([(":status", "200")], ends: true),
            "HTTP/1.1 103\r\nlink: a\r\n\r\nHTTP/1.1 200\r\n\r\n"
        )
        answered(
            "a hundred interim answers",
            "8.1",
            Wire(100) { _ in Frame.head([(":status", "102")]) } + Frame.head([(":status", "204")], ends: true),
            String(repeating: "HTTP/1.1 102\r\n\r\n", count: 100) + "HTTP/1.1 204\r\n\r\n"
        )
        Conversation(
            "an interim answer that is the last",
            "8.1",
            Frame.head([(":status", "103")], ends: true),
            [.reset(1)]
        )
        Conversation("a change of protocols", "8.6", Frame.head([(":status", "101")], ends: true), [.reset(1)])
        answered(
            "trailers",
            "8.1",
            Frame.head([(":status", "200")]) + Frame.data("x", ends: false)
                + Frame.of(.headers, flags: Frame.endHeaders | Frame.endStream, stream: 1, Field.literal("t", "1")),
            "HTTP/1.1 200\r\n\r\nx"
        )
        Conversation(
            "trailers that are not the end",
            "8.1",
            Frame.head([(":status", "200")]) + Frame.data("x", ends: false)
                + Frame.of(.headers, flags: Frame.endHeaders, stream: 1, Field.literal("t", "1")),
            [.reset(1)]
        )
        Conversation(
            "a status among trailers",
            "8.1",
            Frame.head([(":status", "200")]) + Frame.data("x", ends: false)
                + Frame.head([(":status", "200")], ends: true),
            [.reset(1)]
        )
    }
}
