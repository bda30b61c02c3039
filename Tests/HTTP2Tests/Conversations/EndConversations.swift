/// Ends of streams and of connections.
extension Conversation {
    private static let head = Frame.head([(":status", "200")])
    private static let answer = "HTTP/1.1 200\r\n\r\n"

    /// Codes of RFC 9113 section 7 that say nothing but that it is over.
    private static let resets: [Conversation] = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 99].map { code in
        Conversation("a reset with code \(code)", "6.4, 7", Frame.reset(code), [.reset(code)])
    }

    @ConversationList static var ends: [Conversation] {
        for conversation in resets { conversation }
        Conversation("a reset without an error and an answer", "6.4", Frame.reset(0), [.reset(0)])
        Conversation(
            "a reset without an error in the middle",
            "6.4",
            head + Frame.data("x", ends: false) + Frame.reset(0),
            [.reset(0)]
        )
        Conversation("a refused stream", "8.7", Frame.reset(7), [.refused])
        Conversation("a stream that wants HTTP/1.1", "7", Frame.reset(13), [.wantsHTTP1])
        Conversation(
            "a reset in the middle",
            "6.4",
            head + Frame.data("x", ends: false) + Frame.reset(2),
            [.reset(2)]
        )
        answered("a reset after the answer", "5.1", head + Frame.data("x") + Frame.reset(0), answer + "x")
        Conversation(
            "one of two reset",
            "6.4",
            Frame.reset(8) + Frame.head([(":status", "200")], stream: 3, ends: true),
            [.reset(8), .answered(answer)]
        )
        Conversation("a reset of stream 0", "6.4", Frame.reset(0, stream: 0), violation: 1)
        Conversation("a reset of a stream that nobody opened", "6.4", Frame.reset(0, stream: 9), violation: 1)
        Conversation("a reset of three bytes", "6.4", Frame.of(.reset, stream: 1, [0, 0, 0]), violation: 6)
        Conversation("a goodbye that refuses all", "6.8", Frame.goAway(last: 0), [.refused, .refused])
        Conversation(
            "a goodbye that refuses the second",
            "6.8",
            Frame.goAway(last: 1) + head + Frame.data("x"),
            [.answered(answer + "x"), .refused]
        )
        answered(
            "a goodbye after the answer",
            "6.8",
            head + Frame.data("x") + Frame.goAway(last: 1),
            answer + "x"
        )
        answered(
            "a goodbye before the end of the answer",
            "6.8",
            head + Frame.goAway(last: 1) + Frame.data("x"),
            answer + "x"
        )
        Conversation(
            "a warning, then a goodbye",
            "6.8",
            Frame.goAway(last: 0x7fff_ffff) + Frame.goAway(last: 1) + head + Frame.data("x"),
            [.answered(answer + "x"), .refused]
        )
        Conversation("a goodbye with an error", "6.8", Frame.goAway(last: 0, 11, "calm"), [.refused])
        Conversation("a goodbye that leaves the answer open", "6.8", Frame.goAway(last: 1), [.waits])
        Conversation(
            "a goodbye that takes back a refusal",
            "6.8",
            Frame.goAway(last: 1) + Frame.goAway(last: 3),
            [.lost, .refused],
            violation: 1
        )
        Conversation(
            "a goodbye on a stream",
            "6.8",
            Frame.of(.goAway, stream: 1, Frame.number(0) + Frame.number(0)),
            violation: 1
        )
        Conversation("a goodbye of seven bytes", "6.8", Frame.of(.goAway, [0, 0, 0, 0, 0, 0, 0]), violation: 6)
        Conversation("silence", "5.1", Wire([]), [.waits])
    }
}
