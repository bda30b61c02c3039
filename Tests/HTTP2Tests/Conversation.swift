/// What a server sends to a client that has asked, and what must come of it.
struct Conversation: Sendable {
    /// How one request ended.
    enum Outcome: Equatable {
        case answered(String)
        case waits
        case refused
        case wantsHTTP1
        case reset(UInt32)
        /// The connection broke below it, by our own decision or the server's.
        case lost
    }

    let name: String
    /// Where it is written what is right.
    let section: String
    let bytes: [UInt8]
    let outcomes: [Outcome]
    /// The code by which our side breaks the connection off; 0 where it goes on.
    let violation: UInt32

    /// Every one of the table.
    static let all = heads + fields + bodies + ends + settings + windows + framing

    init(
        _ name: String,
        _ section: String,
        _ bytes: Wire,
        _ outcomes: [Outcome] = [.lost],
        violation: UInt32 = 0,
        settings: Wire = Frame.settings
    ) {
        self.name = name
        self.section = section
        self.bytes = (settings + bytes).bytes
        self.outcomes = outcomes
        self.violation = violation
    }

    static func answered(_ name: String, _ section: String, _ bytes: Wire, _ answer: String) -> Conversation {
        Conversation(name, section, bytes, [.answered(answer)])
    }
}

/// Conversations one after the other, each a statement of its own.
@resultBuilder
enum ConversationList {
    static func buildExpression(_ conversation: Conversation) -> [Conversation] { [conversation] }
    static func buildBlock(_ parts: [Conversation]...) -> [Conversation] { parts.flatMap(\.self) }
    static func buildArray(_ parts: [[Conversation]]) -> [Conversation] { parts.flatMap(\.self) }
}
