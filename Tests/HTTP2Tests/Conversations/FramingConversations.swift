/// What is no frame, or one that nobody knows.
extension Conversation {
    private static let answered = Frame.head([(":status", "200")], ends: true)
    private static let answer = "HTTP/1.1 200\r\n\r\n"

    @ConversationList static var framing: [Conversation] {
        answered(
            "a frame of a type that nobody knows",
            "4.1",
            Frame.of(0xbb, flags: 0xff, stream: 1, [1, 2, 3]) + answered,
            answer
        )
        answered("an empty frame of such a type", "4.1", Frame.of(0xbc) + answered, answer)
        answered("an alternative service", "RFC 7838 section 4", Frame.of(0xa, [0, 1, 97, 98]) + answered, answer)
        answered(
            "flags that mean nothing",
            "4.1",
            Frame.of(.ping, flags: 0xf0, [UInt8](repeating: 0, count: 8)) + answered,
            answer
        )
        answered(
            "the reserved bit of a stream's number",
            "4.1",
            Frame.of(.headers, flags: Frame.endHeaders | Frame.endStream, stream: 0x8000_0001, Field.ok),
            answer
        )
        Conversation(
            "a frame larger than allowed",
            "4.2",
            Frame.head([(":status", "200")]) + Frame.of(.data, stream: 1, [UInt8](repeating: 0, count: 16_385)),
            violation: 6
        )
        answered(
            "a frame as large as allowed",
            "4.2",
            Frame.head([(":status", "200")])
                + Frame.of(.data, flags: Frame.endStream, stream: 1, [UInt8](repeating: 120, count: 16_384)),
            answer + String(repeating: "x", count: 16_384)
        )
        Conversation(
            "HTTP/1.1",
            "3.4",
            Wire(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8)),
            violation: 1,
            settings: Wire([])
        )
        Conversation("a frame that has not come whole", "4.1", Wire(Array(answered.bytes.dropLast())), [.waits])
        Conversation("a frame's beginning", "4.1", Wire([0, 0, 1]), [.waits])
        Conversation(
            "a continuation after the head",
            "6.10",
            Frame.head([(":status", "200")]) + Frame.of(.continuation, stream: 1),
            violation: 1
        )
        Conversation(
            "more of a body that has ended",
            "5.1",
            answered + Frame.data("x"),
            [.answered(answer)]
        )
        Conversation("another head after the end", "5.1", answered + answered, [.answered(answer)])
    }
}
