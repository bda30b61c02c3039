import HTTP2
import Testing

extension Conversation: CustomTestStringConvertible {
    var testDescription: String { name }
}

/// Plays one conversation to a session that has asked as often as it has outcomes.
struct Client {
    private let session: HTTP2Session
    private let streams: [HTTP2Stream]
    private(set) var output: [UInt8] = []

    init?(_ engine: HTTP2Engine, requests: Int) {
        guard let session = HTTP2Session(engine) else { return nil }
        self.session = session
        streams = (0..<requests).map { _ in HTTP2Stream() }
        let fields = RequestFields([
            (":method", "GET"), (":scheme", "https"), (":authority", "h"), (":path", "/"), ("accept", "*/*"),
        ])
        drain()
        for stream in streams where !session.send(fields, body: nil, on: stream) { return nil }
        drain()
    }

    private mutating func drain() {
        while let bytes = session.output() { output += bytes }
    }

    /// Hears one piece of what the server sends.
    mutating func hear(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { session.receive($0) }
        drain()
    }

    /// What came of each request, the session broken off where it cannot go on.
    mutating func outcomes() -> [Conversation.Outcome] {
        if session.isOver { session.lose() }
        return streams.map { stream in
            switch stream.end {
            case nil: .waits
            case .complete: .answered(String(decoding: stream.answer, as: UTF8.self))
            case .refused: .refused
            case .wantsHTTP1: .wantsHTTP1
            case .reset(let code): .reset(code)
            case .connectionLost: .lost
            }
        }
    }

    var violation: UInt32 { session.violation }
}
