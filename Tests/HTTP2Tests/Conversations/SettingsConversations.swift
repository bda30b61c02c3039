/// Settings and pings.
extension Conversation {
    private static let answered = Frame.head([(":status", "200")], ends: true)
    private static let answer = "HTTP/1.1 200\r\n\r\n"
    private static let eight = [UInt8](repeating: 7, count: 8)

    @ConversationList static var settings: [Conversation] {
        Conversation("no settings before the answer", "3.4", answered, violation: 1, settings: Wire([]))
        Conversation("a ping before the settings", "3.4", Frame.of(.ping, eight), violation: 1, settings: Wire([]))
        Conversation("settings that never come", "3.4", Wire([]), [.waits], settings: Wire([]))
        answered("settings in the middle", "6.5", Frame.settings([(4, 1000)]) + answered, answer)
        answered("a setting that nobody knows", "6.5.2", Frame.settings([(0xf0f0, 1)]) + answered, answer)
        answered("one setting twice", "6.5.3", Frame.settings([(4, 1), (4, 2)]) + answered, answer)
        answered("no table for header fields", "6.5.2", Frame.settings([(1, 0)]) + answered, answer)
        answered("one stream at a time", "6.5.2", Frame.settings([(3, 1)]) + answered, answer)
        answered("no streams any more", "6.5.2", Frame.settings([(3, 0)]) + answered, answer)
        answered("acknowledged settings", "6.5.3", Frame.of(.settings, flags: Frame.acknowledged) + answered, answer)
        answered("twenty settings", "6.5", Wire(20) { _ in Frame.settings } + answered, answer)
        Conversation(
            "an acknowledgement with settings in it",
            "6.5",
            Frame.of(.settings, flags: Frame.acknowledged, [0, 4, 0, 0, 0, 1]),
            violation: 6
        )
        Conversation("settings of five bytes", "6.5", Frame.of(.settings, [0, 4, 0, 0, 0]), violation: 6)
        Conversation("settings of a stream", "6.5", Frame.of(.settings, stream: 1), violation: 1)
        Conversation("a server that wants to push", "6.5.2", Frame.settings([(2, 1)]), violation: 1)
        Conversation("push that is neither on nor off", "6.5.2", Frame.settings([(2, 2)]), violation: 1)
        Conversation("a window beyond all windows", "6.5.2", Frame.settings([(4, 0x8000_0000)]), violation: 3)
        Conversation("frames smaller than allowed", "6.5.2", Frame.settings([(5, 100)]), violation: 1)
        Conversation("frames larger than allowed", "6.5.2", Frame.settings([(5, 0x0100_0000)]), violation: 1)
        answered("a ping", "6.7", Frame.of(.ping, eight) + answered, answer)
        answered(
            "the answer to a ping that nobody sent",
            "6.7",
            Frame.of(.ping, flags: Frame.acknowledged, eight) + answered,
            answer
        )
        answered("fifty pings", "6.7", Wire(50) { _ in Frame.of(.ping, eight) } + answered, answer)
        Conversation("a ping of seven bytes", "6.7", Frame.of(.ping, Array(eight.dropLast())), violation: 6)
        Conversation("a ping on a stream", "6.7", Frame.of(.ping, stream: 1, eight), violation: 1)
    }
}
