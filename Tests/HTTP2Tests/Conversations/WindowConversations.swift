/// Windows, priorities and promises.
extension Conversation {
    private static let answered = Frame.head([(":status", "200")], ends: true)
    private static let answer = "HTTP/1.1 200\r\n\r\n"
    private static let most: UInt32 = 0x7fff_ffff

    @ConversationList static var windows: [Conversation] {
        answered("a wider window", "6.9", Frame.window(1000) + Frame.window(1000, stream: 1) + answered, answer)
        Conversation("a window wider by nothing", "6.9", Frame.window(0), violation: 1)
        Conversation("a stream's window wider by nothing", "6.9, 5.4.2", Frame.window(0, stream: 1), violation: 1)
        Conversation("a window beyond all windows, by increments", "6.9.1", Frame.window(most), violation: 3)
        Conversation("a stream's window beyond all windows", "6.9.1", Frame.window(most, stream: 1), [.reset(3)])
        Conversation("a window of three bytes", "6.9", Frame.of(.windowUpdate, [0, 0, 1]), violation: 6)
        Conversation("a window of a stream that nobody opened", "5.1", Frame.window(1, stream: 9), violation: 1)
        answered("a window after the answer", "5.1", answered + Frame.window(1, stream: 1), answer)
        answered("a priority", "6.3", Frame.of(.priority, stream: 1, [0, 0, 0, 0, 1]) + answered, answer)
        Conversation("a priority of four bytes", "6.3", Frame.of(.priority, stream: 1, [0, 0, 0, 0]), violation: 6)
        Conversation("a priority of stream 0", "6.3", Frame.of(.priority, [0, 0, 0, 0, 1]), violation: 1)
        Conversation(
            "a promise that was refused beforehand",
            "6.6",
            Frame.of(.settings, flags: Frame.acknowledged)
                + Frame.of(.pushPromise, flags: Frame.endHeaders, stream: 1, Frame.number(2) + Field.ok),
            violation: 1
        )
        answered(
            "a promise before the refusal was read",
            "6.6, 8.4",
            Frame.of(.pushPromise, flags: Frame.endHeaders, stream: 1, Frame.number(2) + Field.ok) + answered,
            answer
        )
        Conversation(
            "a promise on stream 0",
            "6.6",
            Frame.of(.pushPromise, flags: Frame.endHeaders, Frame.number(2) + Field.ok),
            violation: 1
        )
    }
}
