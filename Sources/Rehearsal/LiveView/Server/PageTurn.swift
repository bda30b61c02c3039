import HTTPTypes
import NIOCore
import Transport

/// One request for a page that may be answered: read-only, without a body, for an allowed host.
struct PageTurn: Sendable {
    private struct DeliberateClose: Error {}

    private let request: ServedRequest

    var head: HTTPRequest { request.head }

    private init(_ request: ServedRequest) {
        self.request = request
    }

    /// Returns the request if it may be answered; otherwise refuses it and throws, which ends its connection.
    static func admit(_ request: ServedRequest, at address: LiveAddress) async throws -> PageTurn {
        let (turn, head) = (PageTurn(request), request.head)
        if hasBody(head.headerFields) { try await turn.refuse(.contentTooLarge, "No request here has a body.") }
        if head.method != .get, head.method != .head { try await turn.refuse(.methodNotAllowed, "GET or HEAD only.") }
        if !address.answers(head.authority) {
            let text = "This name is not one that podswarm serves at; use the address, or give the name to podswarm."
            try await turn.refuse(.misdirectedRequest, text)
        }
        return turn
    }

    /// Returns once the system has taken the last byte.
    func deliver(_ answer: ServedAnswer) async throws { try await request.deliver(answer) }

    /// Sends the reason and throws, which ends the connection: further requests are not read.
    func refuse(_ status: HTTPResponse.Status, _ text: String) async throws -> Never {
        let allowing = status == .methodNotAllowed ? "GET, HEAD" : nil
        var answer = ServedAnswer.text(status, text, allowing: allowing).forBrowsers()
        answer.fields[.connection] = "close"
        try await deliver(answer)
        throw DeliberateClose()
    }

    /// Sends the head of an answer whose parts follow, each by `write`, until `end`.
    ///
    /// A client that closes its side has disconnected, which cancels the task.
    func begin(_ answer: ServedAnswer) async throws {
        try await request.begin(answer.head, untilInputCloses: true)
    }

    func write(_ bytes: ByteBuffer) async throws {
        try await request.inTime { try await request.write(bytes) }
    }

    func end() async throws {
        try await request.end()
    }

    private static func hasBody(_ fields: HTTPFields) -> Bool {
        fields[.transferEncoding] != nil || fields[.contentLength].map { $0 != "0" } ?? false
    }
}
