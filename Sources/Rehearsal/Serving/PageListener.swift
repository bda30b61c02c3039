import Glibc
import HTTPTypes
import NIOCore
import NIOPosix
import Transport
package import Values

/// One address that serves pages only, with a time limit for each client.
package final class PageListener: Sendable {
    package struct CannotListen: Error, CustomStringConvertible {
        package let address: ListeningAddress
        package let reason: String
        package var description: String { "cannot listen on \(address): \(reason)" }
    }

    let address: ListeningAddress
    private let listener: HTTPListener

    /// Returns once connections are accepted.
    ///
    /// `loops` must outlive the listener. A nil `executor` is the shared pool. `respond` gets the requests that may be
    /// answered; an error from it ends the connection.
    ///
    /// - Throws: `CannotListen`, after which nothing is left open.
    init(
        _ address: ListeningAddress,
        on loops: MultiThreadedEventLoopGroup,
        executor: (any TaskExecutor)?,
        respond: @escaping @Sendable (PageTurn) async throws -> Void
    ) async throws(CannotListen) {
        self.address = address
        do {
            listener = try await HTTPListener.listen(Self.settings(address), on: loops, executor: executor) { request in
                try await respond(PageTurn.admit(request, at: address))
            }
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw CannotListen(address: address, reason: reason)
        }
    }

    package var url: String { address.url(port: listener.port) }

    /// Returns once all connections are closed.
    package func stop() async { await listener.stop() }

    private static func settings(_ address: ListeningAddress) -> ListenerSettings {
        var settings = ListenerSettings.shortMessages(host: address.host, port: address.port, bodyLimit: 0)
        settings.backlog = 64
        settings.connectionLimit = 64
        return settings
    }
}

/// One request for a page that may be answered: read-only, without a body, for an allowed host.
struct PageTurn: Sendable {
    private struct DeliberateClose: Error {}

    private let request: ServedRequest

    var head: HTTPRequest { request.head }

    private init(_ request: ServedRequest) {
        self.request = request
    }

    /// Returns the request if it may be answered; otherwise refuses it and throws, which ends its connection.
    static func admit(_ request: ServedRequest, at address: ListeningAddress) async throws -> PageTurn {
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

/// An answer that nothing caches, and that is read as the type that it names.
struct ServedAnswer: Sendable {
    /// Permissions of a stored page.
    ///
    /// The page's own policy names its style and script by digest; this one also covers altered pages.
    static let ofStoredPage = "img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "

    var status: HTTPResponse.Status
    var fields: HTTPFields = [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
    /// The whole body; omitted for HEAD.
    var body: ByteBuffer

    init(_ status: HTTPResponse.Status, _ type: String?, _ body: ByteBuffer) {
        (self.status, self.body) = (status, body)
        fields[.contentType] = type
        if status != .noContent { fields[.contentLength] = String(body.readableBytes) }
    }

    /// A page for a browser; `sources` as of ``forBrowsers(allowing:)``.
    static func page(_ html: some Sequence<UInt8>, allowing sources: String = ofStoredPage) -> ServedAnswer {
        ServedAnswer(.ok, "text/html; charset=utf-8", ByteBuffer(bytes: html)).forBrowsers(allowing: sources)
    }

    /// A line of text.
    static func text(_ status: HTTPResponse.Status, _ text: String, allowing: String? = nil) -> ServedAnswer {
        let body = ByteBuffer(string: text.isEmpty ? "" : text + "\n")
        var answer = ServedAnswer(status, "text/plain; charset=utf-8", body)
        answer.fields[.allow] = allowing
        return answer
    }

    /// The refusal of a client without access to `service`; nil for any other.
    static func refusal(of head: HTTPRequest, by access: ClientAccess, _ service: String) -> ServedAnswer? {
        switch access.refusal(of: head) {
        case .misdirected:
            return text(.misdirectedRequest, "Without a token this is served at an address or as localhost only.")
        case .unauthorised:
            // RFC 6750 section 3.
            var answer = text(.unauthorized, "This \(service) asks for its token.")
            answer.fields[.wwwAuthenticate] = "Bearer"
            return answer
        case nil: return nil
        }
    }

    /// The answer for a browser, which loads no content from elsewhere.
    ///
    /// `sources` are directives of a content security policy that allow what the page needs, each ended by `; `.
    func forBrowsers(allowing sources: String = "") -> ServedAnswer {
        var answer = self
        answer.fields[.contentSecurityPolicy] =
            "default-src 'none'; \(sources)base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        answer.fields[.crossOriginResourcePolicy] = "same-origin"
        return answer
    }

    var head: HTTPResponse { HTTPResponse(status: status, headerFields: fields) }
}

extension ServedRequest {
    /// Timeout for a client that takes no bytes.
    private static let patience = TimeAmount.seconds(10)

    /// Returns once the system has taken the last byte.
    func deliver(_ answer: ServedAnswer) async throws {
        try await inTime { try await deliver(answer.head, answer.body) }
    }

    /// Closes the connection if the client does not take the bytes in time.
    func inTime(_ send: () async throws -> Void) async throws {
        let patience = connection.eventLoop.scheduleTask(in: Self.patience) { [connection] in
            connection.close(promise: nil)
        }
        defer { patience.cancel() }
        try await send()
    }
}
