package import HTTPTypes
import NIOCore
import Transport

/// One request for a page that may be answered: read-only, without a body, for an allowed host.
package struct PageTurn: Sendable {
    private struct DeliberateClose: Error {}

    /// Timeout for a reader that takes no bytes.
    private static let writePatience = TimeAmount.seconds(10)

    private let request: ServedRequest

    package var head: HTTPRequest { request.head }

    private init(_ request: ServedRequest) {
        self.request = request
    }

    /// Returns the request if it may be answered; otherwise refuses it and throws, which ends its connection.
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

    /// Returns once the system has taken the last byte.
    package func deliver(_ answer: PageAnswer) async throws {
        try await inTime { try await request.deliver(answer.head, answer.body) }
    }

    /// Sends the reason and throws, which ends the connection: further requests are not read.
    package func refuse(_ status: HTTPResponse.Status, _ text: String) async throws -> Never {
        var answer = PageAnswer.plain(text, status: status)
        answer.fields[.connection] = "close"
        if status == .methodNotAllowed { answer.fields[.allow] = "GET, HEAD" }
        try await deliver(answer)
        throw DeliberateClose()
    }

    /// Sends the head of an answer whose parts follow, each by `write`, until `end`.
    ///
    /// A client that closes its side has disconnected, which cancels the task.
    func begin(_ answer: PageAnswer) async throws {
        try await request.begin(answer.head, untilInputCloses: true)
    }

    func write(_ bytes: ByteBuffer) async throws {
        try await inTime { try await request.write(bytes) }
    }

    func end() async throws {
        try await request.end()
    }

    /// Closes the connection if the client does not take the bytes in time.
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
