import HTTPTypes
import NIOCore
import Transport
import Values

extension ListenerSettings {
    /// For few readers.
    static func pages(at address: ListeningAddress, bodyLimit: Int = 0) -> ListenerSettings {
        var settings = shortMessages(at: address, bodyLimit: bodyLimit)
        settings.backlog = 64
        settings.connectionLimit = 64
        return settings
    }
}

extension ServedRequest {
    private struct DeliberateClose: Error {}

    /// Admits read-only requests without a body for an allowed host; otherwise ends the connection.
    func admit(at address: ListeningAddress) async throws {
        if hasBody { try await refuse(.contentTooLarge, "No request here has a body.") }
        if head.method != .get, head.method != .head { try await refuse(.methodNotAllowed, "GET or HEAD only.") }
        if !address.answers(head.authority) {
            let text = "This name is not one that podswarm serves at; use the address, or give the name to podswarm."
            try await refuse(.misdirectedRequest, text)
        }
    }

    private var hasBody: Bool {
        head.headerFields[.transferEncoding] != nil || head.headerFields[.contentLength].map { $0 != "0" } ?? false
    }

    /// Ends the connection: further requests are not read.
    func refuse(_ status: HTTPResponse.Status, _ text: String) async throws -> Never {
        let allowing = status == .methodNotAllowed ? "GET, HEAD" : nil
        var answer = ServedAnswer.text(status, text, allowing: allowing).forBrowsers()
        answer.fields[.connection] = "close"
        try await deliver(answer)
        throw DeliberateClose()
    }
}

/// Not cached, and read only as the type that it names.
struct ServedAnswer: Sendable {
    /// Covers altered pages, too, unlike the page's own policy.
    static let ofStoredPage = "img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "

    var status: HTTPResponse.Status
    var fields: HTTPFields = [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
    /// HEAD omits it.
    var body: ByteBuffer

    init(_ status: HTTPResponse.Status, _ type: String?, _ body: ByteBuffer) {
        (self.status, self.body) = (status, body)
        fields[.contentType] = type
        if status != .noContent { fields[.contentLength] = String(body.readableBytes) }
    }

    /// `sources` as of ``forBrowsers(allowing:)``.
    static func page(_ html: some Sequence<UInt8>, allowing sources: String = ofStoredPage) -> ServedAnswer {
        ServedAnswer(.ok, "text/html; charset=utf-8", ByteBuffer(bytes: html)).forBrowsers(allowing: sources)
    }

    static func text(_ status: HTTPResponse.Status, _ text: String, allowing: String? = nil) -> ServedAnswer {
        let body = ByteBuffer(string: text.isEmpty ? "" : text + "\n")
        var answer = ServedAnswer(status, "text/plain; charset=utf-8", body)
        answer.fields[.allow] = allowing
        return answer
    }

    /// Nil for a client with access to `service`.
    static func refusal(of head: HTTPRequest, by access: ClientAccess, _ service: String) -> ServedAnswer? {
        switch access.refusal(of: head) {
        case .misdirected:
            return text(.misdirectedRequest, "Without a token this is served at an address or as localhost only.")
        case .fromWebPage: return text(.forbidden, "Without a token no web page may ask this.")
        case .unauthorised:
            // RFC 6750 section 3.
            var answer = text(.unauthorized, "This \(service) asks for its token.")
            answer.fields[.wwwAuthenticate] = "Bearer"
            return answer
        case nil: return nil
        }
    }

    /// `sources` are directives of a content security policy, each ended by `; `; nothing else is loaded.
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
    /// For a client that takes no bytes.
    private static let patience = TimeAmount.seconds(10)

    /// Returns once the system has taken the last byte.
    func deliver(_ answer: ServedAnswer) async throws {
        try await inTime { try await deliver(answer.head, answer.body) }
    }

    /// Closes the connection of a slow client.
    func inTime(_ send: () async throws -> Void) async throws {
        let patience = connection.eventLoop.scheduleTask(in: Self.patience) { [connection] in
            connection.close(promise: nil)
        }
        defer { patience.cancel() }
        try await send()
    }
}
