import Transport

/// A session that has asked as often as it expects outcomes, and hears what a server sends.
struct Client {
    private let session: HTTP2Session
    private let streams: [HTTP2Stream]

    init?(streamWindowBytes: Int = 1 << 20, requests: Int) {
        guard let engine = HTTP2Engine(streamWindowBytes: streamWindowBytes), let session = HTTP2Session(engine) else {
            return nil
        }
        self.session = session
        streams = (0..<requests).map { _ in HTTP2Stream() }
        let fields = RequestFields([
            (":method", "GET"), (":scheme", "https"), (":authority", "h"), (":path", "/"), ("accept", "*/*"),
        ])
        drain()
        for stream in streams where !session.send(fields, body: nil, on: stream) { return nil }
        drain()
    }

    private func drain() { while session.output() != nil {} }

    func hear(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { session.receive($0) }
        drain()
    }

    /// Outcome of each request, the session broken off where it cannot go on, and the code by which our side broke it off.
    func outcomes() -> [String] {
        if session.isOver { session.lose() }
        let ends = streams.map { stream in
            switch stream.end {
            case nil: "waits"
            case .complete: "answered " + String(decoding: stream.answer, as: UTF8.self)
            case .refused: "refused"
            case .wantsHTTP1: "wants HTTP/1.1"
            case .reset(let code): "reset \(code)"
            case .connectionLost: "lost"
            }
        }
        return session.violation == 0 ? ends : ends + ["violation \(session.violation)"]
    }
}
