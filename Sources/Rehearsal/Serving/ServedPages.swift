import HTTPTypes
import NIOCore
import Transport
import Values

extension ListenerSettings {
    /// Settings of an address that serves pages only.
    static func pages(at address: ListeningAddress) -> ListenerSettings {
        var settings = shortMessages(at: address, bodyLimit: 0)
        settings.backlog = 64
        settings.connectionLimit = 64
        return settings
    }
}

extension ServedRequest {
    private struct DeliberateClose: Error {}

    /// Checks that a page may be answered: read-only, without a body, for an allowed host.
    ///
    /// Otherwise refuses it and throws, which ends its connection.
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

    /// Sends the reason and throws, which ends the connection: further requests are not read.
    func refuse(_ status: HTTPResponse.Status, _ text: String) async throws -> Never {
        let allowing = status == .methodNotAllowed ? "GET, HEAD" : nil
        var answer = ServedAnswer.text(status, text, allowing: allowing).forBrowsers()
        answer.fields[.connection] = "close"
        try await deliver(answer)
        throw DeliberateClose()
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
