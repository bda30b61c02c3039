/// Bodies.
extension Conversation {
    private static let head = Frame.head([(":status", "200")])
    private static let answer = "HTTP/1.1 200\r\n\r\n"

    @ConversationList static var bodies: [Conversation] {
        answered("a body in one frame", "6.1", head + Frame.data("body"), answer + "body")
        answered(
            "a body in three frames",
            "6.1",
            head + Frame.data("bo", ends: false) + Frame.data("d", ends: false) + Frame.data("y"),
            answer + "body"
        )
        answered(
            "an end in a frame of its own",
            "6.1",
            head + Frame.data("body", ends: false) + Frame.data(""),
            answer + "body"
        )
        answered(
            "empty frames before the body",
            "6.1",
            head + Wire(20) { _ in Frame.data("", ends: false) } + Frame.data("x"),
            answer + "x"
        )
        answered("no body", "6.1", head + Frame.data(""), answer)
        answered(
            "a padded body",
            "6.1",
            head + Frame.of(.data, flags: Frame.endStream | Frame.padded, stream: 1, [3, 120, 0, 0, 0]),
            answer + "x"
        )
        Conversation(
            "padding longer than its frame",
            "6.1",
            head + Frame.of(.data, flags: Frame.endStream | Frame.padded, stream: 1, [9, 120]),
            violation: 1
        )
        answered(
            "a length that is right",
            "8.1.1",
            Frame.head([(":status", "200"), ("content-length", "4")]) + Frame.data("body"),
            "HTTP/1.1 200\r\ncontent-length: 4\r\n\r\nbody"
        )
        Conversation(
            "a body shorter than its length",
            "8.1.1",
            Frame.head([(":status", "200"), ("content-length", "5")]) + Frame.data("body"),
            [.reset(1)]
        )
        Conversation(
            "a body longer than its length",
            "8.1.1",
            Frame.head([(":status", "200"), ("content-length", "3")]) + Frame.data("body"),
            [.reset(1)]
        )
        answered(
            "304 with the length of what it stands for",
            "8.1.1",
            Frame.head([(":status", "304"), ("content-length", "9")], ends: true),
            "HTTP/1.1 304\r\ncontent-length: 9\r\n\r\n"
        )
        Conversation("204 with a body", "8.1.1", Frame.head([(":status", "204")]) + Frame.data("x"), [.reset(1)])
        Conversation("a body before its head", "8.1, 5.4.2", Frame.data("x"), violation: 1)
        Conversation("a body on stream 0", "6.1", Frame.data("x", stream: 0), violation: 1)
        Conversation("a body on a stream that nobody opened", "5.1", Frame.data("x", stream: 9), violation: 1)
        Conversation("a body on a stream of the server's", "5.1", Frame.data("x", stream: 2), violation: 1)
        Conversation(
            "an answer that waits for more",
            "6.1",
            head + Frame.data("x", ends: false),
            [.waits]
        )
        Conversation(
            "two answers side by side",
            "5",
            head + Frame.head([(":status", "200")], stream: 3) + Frame.data("b", stream: 3)
                + Frame.data("a", stream: 1),
            [.answered(answer + "a"), .answered(answer + "b")]
        )
        Conversation(
            "three answers in turns",
            "5",
            Wire(3) { Frame.head([(":status", "200")], stream: 1 + 2 * $0) }
                + Wire(3) { Frame.data("1", stream: 5 - 2 * $0, ends: false) }
                + Wire(3) { Frame.data("2", stream: 1 + 2 * $0) },
            [.answered(answer + "12"), .answered(answer + "12"), .answered(answer + "12")]
        )
    }
}
