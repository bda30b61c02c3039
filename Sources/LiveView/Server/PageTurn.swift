import HTTPServing
package import HTTPTypes
import NIOCore

/// One request for a page, which may be answered: it only reads, has no body, and names a host that cannot be somebody
/// else's.
package struct PageTurn: Sendable {
    /// Ends a connection on purpose, after what was to be said has been said.
    private struct DeliberateClose: Error {}

    /// A reader that takes nothing for this long is let go.
    private static let writePatience = TimeAmount.seconds(10)

    private let request: ServedRequest

    /// What was asked for.
    package var head: HTTPRequest { request.head }

    private init(_ request: ServedRequest) {
        self.request = request
    }

    /// The request, if it may be answered; else it is refused, and its connection ended by what is thrown.
    static func admit(_ request: ServedRequest, by hosts: HostPolicy) async throws -> PageTurn {
        let (turn, head) = (PageTurn(request), request.head)
        if hasBody(head.headerFields) { try await turn.refuse(.contentTooLarge, "No request here has a body.\n") }
        if head.method != .get, head.method != .head { try await turn.refuse(.methodNotAllowed, "GET or HEAD only.\n") }
        if !hosts.allows(head.authority) {
            let text = "This name is not one that podswarm serves at; use the address, or give the name to podswarm.\n"
            try await turn.refuse(.misdirectedRequest, text)
        }
        return turn
    }

    /// Answers, and returns once the system has taken the last byte.
    package func deliver(_ answer: PageAnswer) async throws {
        try await inTime { try await request.deliver(answer.head, answer.body) }
    }

    /// Says why there is no answer, and throws what ends the connection: what else the client sends is not read.
    package func refuse(_ status: HTTPResponse.Status, _ text: String) async throws -> Never {
        var answer = PageAnswer.plain(text, status: status)
        answer.fields[.connection] = "close"
        if status == .methodNotAllowed { answer.fields[.allow] = "GET, HEAD" }
        try await deliver(answer)
        throw DeliberateClose()
    }

    /// Sends the head of an answer whose parts follow, each by `write`, until `end`.
    ///
    /// A client that sends nothing more is one that has gone, which cancels the task.
    func begin(_ answer: PageAnswer) async throws {
        try await request.begin(answer.head, untilInputCloses: true)
    }

    func write(_ bytes: ByteBuffer) async throws {
        try await inTime { try await request.write(bytes) }
    }

    func end() async throws {
        try await request.end()
    }

    /// Closes the connection unless what is sent is taken in time.
    private func inTime(_ send: () async throws -> Void) async throws {
        let connection = request.connection
        let patience = connection.eventLoop.scheduleTask(in: Self.writePatience) { connection.close(promise: nil) }
        defer { patience.cancel() }
        try await send()
    }

    private static func hasBody(_ fields: HTTPFields) -> Bool {
        fields[.transferEncoding] != nil || fields[.contentLength].map { $0 != "0" } ?? false
    }
}
