import Destinations
import HTTP2

/// A request made ready once, so that sending it allocates nothing on our side.
///
/// Confined to the loop whose transport uses it; one instance may be in flight any number of times at once.
package final class PreparedRequest {
    /// The HTTP method.
    package enum Method: Sendable {
        case get
        case post
        case put

        /// As it is spelled (RFC 9110 section 9).
        var name: String {
            switch self {
            case .get: "GET"
            case .post: "POST"
            case .put: "PUT"
            }
        }
    }

    package let method: Method
    package let url: String
    /// Less what is not for the server that the request was found to go to.
    package var headers: HeaderList? {
        guard let made = makeHeaders?() else { return kept }
        return route?.takesOwnHeaders == false ? made.forAnybody() : made
    }
    private var kept: HeaderList?
    /// Nil where they are kept.
    private var makeHeaders: (() -> HeaderList?)?
    /// What a POST or a PUT carries.
    package let body: [UInt8]?
    /// Where the URL leads; nil when it is no http or https URL, and then the request is refused as unauthorised.
    let target: RequestTarget?
    /// Of this URL and not of its origin, which others without a password may share.
    let needsCurl: Bool
    /// What it carries to be found again by; nil for nothing.
    package private(set) var trace: TraceContext?
    /// The number of the transport that last found the target authorised, and where it sends the request.
    ///
    /// So the check is made once and not for each poll.
    private(set) var routedBy: UInt64 = 0
    private(set) var route: Route?

    /// The request that this one was made from; its wire is that of whichever was written last.
    private var general: PreparedRequest?

    /// The request as libcurl takes it, made when it first does.
    private(set) lazy var curlForm = CurlForm(url: url, body: body ?? [])
    /// The bytes on the wire of HTTP/1.1, body included, made when they are first needed.
    private var wire: UnsafeMutableBufferPointer<UInt8>?
    /// The same for HTTP/2, without the body.
    private var fields: RequestFields?

    /// Whether it asks for a part of something (RFC 9110 section 14.2).
    var asksForRange: Bool { headers?.fields.contains { $0.name.lowercased() == "range" } ?? false }

    package init(_ method: Method = .get, url: String, headers: HeaderList? = nil, body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        kept = headers
        self.body = body
        self.target = RequestTarget(url: url)
        self.needsCurl = target?.needsCurl == true
        self.trace = nil
    }

    /// The same request with other headers; what is known of its way is kept.
    private init(_ request: PreparedRequest, headers: HeaderList?, trace: TraceContext?) {
        method = request.method
        url = request.url
        kept = headers
        body = request.body
        target = request.target
        needsCurl = request.needsCurl
        self.trace = trace
        routedBy = request.routedBy
        route = request.route
    }

    /// The same request, to be made once, with a `traceparent` of its own; what is known of its wire is kept.
    package func carrying(_ trace: TraceContext) -> PreparedRequest {
        let headers = HeaderList.adding((TraceContext.headerName, trace.headerValue), to: self.headers)
        let request = PreparedRequest(self, headers: headers, trace: trace)
        if let wire {
            // The head ends with an empty line.
            let place = max(0, wire.count - (body?.count ?? 0) - 2)
            let line = "\(TraceContext.headerName): \(trace.headerValue)\r\n".utf8
            _ = request.keep(Array(wire[..<place]) + line + wire[place...])
        }
        return request
    }

    /// The same request, to be made once, with headers of its own; this one is never sent, and learns the way for all.
    ///
    /// They are made, the same each time, whenever they are needed: next to nothing is kept while an answer is awaited.
    package func sending(_ headers: @escaping () -> HeaderList?) -> PreparedRequest {
        let request = PreparedRequest(self, headers: nil, trace: nil)
        (request.makeHeaders, request.general) = (headers, self)
        return request
    }

    /// The headers, kept from now on: libcurl reads them while a request is in flight.
    func keepHeaders() -> HeaderList? {
        (kept, makeHeaders) = (headers, nil)
        return kept
    }

    deinit { wire?.deallocate() }

    /// Remembers where a transport sends this request; what was made for another transport is forgotten.
    func remember(_ route: Route, by transport: UInt64) {
        wire?.deallocate()
        wire = nil
        fields = nil
        self.route = route
        routedBy = transport
        if !route.takesOwnHeaders { kept = kept?.forAnybody() }
        general?.remember(route, by: transport)
    }

    /// The request in HTTP/1.1 (RFC 9112 section 3), with what the configuration adds to it; the same at every call, and
    /// good until the next one.
    func wireBytes(_ configuration: TransportConfiguration) -> UnsafeRawBufferPointer {
        if let wire { return UnsafeRawBufferPointer(wire) }
        return (general ?? self).keep(RequestText.bytes(of: self, configuration))
    }

    private func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        wire?.deallocate()
        let made = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = made.initialize(from: bytes)
        wire = made
        return UnsafeRawBufferPointer(made)
    }

    /// The request's header fields for HTTP/2, with what the configuration adds to them; the same at every call.
    func fields(_ configuration: TransportConfiguration) -> RequestFields {
        if let fields { return fields }
        let made = RequestText.fields(overHTTP2: self, configuration)
        fields = made
        return made
    }

    /// The request of the next hop.
    func redirected(to url: String, status: Int) -> PreparedRequest {
        let becomesGet = Redirection.becomesGet(status)
        let next = RequestTarget(url: url)
        let keepsCredentials = next.map { target?.hasSameOrigin(as: $0) == true } ?? false
        let request = PreparedRequest(
            becomesGet ? .get : method,
            url: url,
            headers: keepsCredentials ? headers : headers?.droppingCredentials(),
            body: becomesGet ? nil : body
        )
        // It is among the headers.
        request.trace = trace
        return request
    }
}

/// A URL and a body at addresses that stay, for libcurl reads them while a request is in flight.
final class CurlForm {
    let url: UnsafeMutablePointer<CChar>
    let body: UnsafeMutableBufferPointer<UInt8>

    init(url: String, body: [UInt8]) {
        let text = url.utf8CString
        self.url = .allocate(capacity: text.count)
        self.body = .allocate(capacity: body.count)
        for (offset, byte) in text.enumerated() { (self.url + offset).initialize(to: byte) }
        _ = self.body.initialize(from: body)
    }

    deinit {
        url.deallocate()
        body.deallocate()
    }
}
