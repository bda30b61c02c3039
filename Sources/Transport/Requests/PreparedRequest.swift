import Values

/// Sending allocates nothing outside libcurl; confined to the loop; may be in flight any number of times at once.
package final class PreparedRequest {
    /// RFC 9110 section 9.
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case options = "OPTIONS"

        fileprivate var hasContent: Bool { self == .post || self == .put }
    }

    package let method: Method
    package let url: String
    /// Without headers that are not for the route's server.
    package var headers: HeaderList? {
        guard let made = makeHeaders?() else { return kept }
        return route?.takesOwnHeaders == false ? made.forAnybody() : made
    }
    private var kept: HeaderList?
    private var makeHeaders: (() -> HeaderList?)?
    package let body: [UInt8]?
    /// nil unless http or https; such a request is refused as unauthorised.
    let target: RequestTarget?
    /// Depends on this URL: others of its origin may have no password.
    var needsCurl: Bool { target?.needsCurl == true }
    package private(set) var trace: TraceContext?
    /// The transport that authorised the target, once and not for each poll.
    private var routedBy: UInt64 = 0
    private var route: Route?

    /// Original of this copy; its `wire` is the request written last.
    private var general: PreparedRequest?

    /// The `Origin` that it sends to another origin, and whether it sends cookies; nil for any other request.
    package var foreignPage: (origin: String, sendsCookies: Bool)? {
        guard let headers, let origin = headers.origin, origin != target?.origin else { return nil }
        return (origin, headers.fields.contains { $0.name.lowercased() == "cookie" })
    }

    /// HTTP/1.1, body included.
    private var wire: UnsafeMutableBufferPointer<UInt8>?
    /// HTTP/2, without the body.
    private var fields: RequestFields?

    /// As written over HTTP/1.1, else without the headers that the transport adds; not redacted.
    package var head: String {
        // The general request's latest bytes may be another viewer's.
        if let wire { return String(decoding: wire.dropLast(body?.count ?? 0), as: UTF8.self) }
        return (headers?.fields ?? []).map { "\($0.name): \($0.value)\r\n" }.joined()
    }

    /// RFC 9110 section 14.2.
    var asksForRange: Bool { headers?.fields.contains { $0.name.lowercased() == "range" } ?? false }

    package init(_ method: Method = .get, url: String, headers: HeaderList? = nil, body: [UInt8]? = nil) {
        (self.method, self.url) = (method, url)
        kept = headers
        self.body = body
        self.target = RequestTarget(url: url)
    }

    private init(_ request: PreparedRequest, headers: HeaderList?, trace: TraceContext?) {
        method = request.method
        url = request.url
        kept = headers
        body = request.body
        target = request.target
        self.trace = trace
        routedBy = request.routedBy
        route = request.route
    }

    /// A copy for one use, with a `traceparent`.
    package func carrying(_ trace: TraceContext) -> PreparedRequest {
        let headers = HeaderList.adding((TraceContext.headerName, trace.headerValue), to: self.headers)
        let request = PreparedRequest(self, headers: headers, trace: trace)
        if let wire {
            let place = max(0, wire.count - (body?.count ?? 0) - 2)
            let line = "\(TraceContext.headerName): \(trace.headerValue)\r\n".utf8
            _ = request.keep(Array(wire[..<place]) + line + wire[place...])
        }
        return request
    }

    /// A copy for one use; the original is never sent, and keeps the route.
    ///
    /// The headers are made whenever needed, always equal: little is kept while an answer is awaited.
    package func sending(_ headers: @escaping () -> HeaderList?) -> PreparedRequest {
        let request = PreparedRequest(self, headers: nil, trace: nil)
        (request.makeHeaders, request.general) = (headers, self)
        return request
    }

    /// libcurl reads them while a request is in flight.
    func keepHeaders() -> HeaderList? {
        (kept, makeHeaders) = (headers, nil)
        return kept
    }

    deinit { wire?.deallocate() }

    /// nil where another transport asks.
    func route(knownTo transport: UInt64) -> Route? { routedBy == transport ? route : nil }

    /// Discards the bytes made for another transport.
    func remember(_ route: Route, by transport: UInt64) {
        wire?.deallocate()
        wire = nil
        fields = nil
        self.route = route
        routedBy = transport
        if !route.takesOwnHeaders { kept = kept?.forAnybody() }
        general?.remember(route, by: transport)
    }

    /// RFC 9112 section 3; with the configuration's headers, valid until the next call.
    func wireBytes(_ configuration: TransportConfiguration) -> UnsafeRawBufferPointer {
        if let wire { return UnsafeRawBufferPointer(wire) }
        return (general ?? self).keep(bytes(configuration))
    }

    private func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        wire?.deallocate()
        let made = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = made.initialize(from: bytes)
        wire = made
        return UnsafeRawBufferPointer(made)
    }

    func fields(_ configuration: TransportConfiguration) -> RequestFields {
        if let fields { return fields }
        let all = allFields(configuration)
        let host = all.last { $0.name.lowercased() == "host" }?.value
        // Pseudo-header fields first (RFC 9113 section 8.3.1).
        let pseudo = [
            (name: ":method", value: method.rawValue), (name: ":scheme", value: target?.scheme ?? "https"),
            (name: ":authority", value: host ?? ""), (name: ":path", value: target?.pathAndQuery ?? "/"),
        ]
        let made = RequestFields(pseudo + all)
        fields = made
        return made
    }

    /// `cookies` are those that the servers set, the redirecting answer included; the request's own are not used again.
    ///
    /// `Origin` of a page is null from the first redirect on that leads from a foreign origin to another one (Fetch standard,
    /// "redirect-tainted origin").
    package func redirected(to url: String, keepsMethod: Bool, cookies: String?, isOfPage: Bool = false)
        -> PreparedRequest
    {
        let next = RequestTarget(url: url)
        let keepsCredentials = next.map { target?.hasSameOrigin(as: $0) == true } ?? false
        let request = PreparedRequest(
            keepsMethod ? method : .get,
            url: url,
            headers: HeaderList.redirected(
                headers,
                keepsCredentials: keepsCredentials,
                hidesOrigin: isOfPage && !keepsCredentials && foreignPage != nil,
                dropsContent: !keepsMethod && body != nil,
                cookies: cookies
            ),
            body: keepsMethod ? body : nil
        )
        request.trace = trace
        return request
    }

    private func bytes(_ configuration: TransportConfiguration) -> [UInt8] {
        var text = "\(method.rawValue) \(target?.pathAndQuery ?? "/") HTTP/1.1\r\n"
        for field in allFields(configuration) {
            text += field.value.isEmpty ? "\(field.name):\r\n" : "\(field.name): \(field.value)\r\n"
        }
        text += "\r\n"
        return Array(text.utf8) + (body ?? [])
    }

    /// libcurl's headers, in its order, unless the request has its own.
    private func allFields(_ configuration: TransportConfiguration) -> [(name: String, value: String)] {
        let given = headers?.fields ?? []
        var standard: [(name: String, value: String)] = [
            ("Host", target?.authority ?? ""),
            ("User-Agent", configuration.userAgent),
            ("Accept", "*/*"),
        ]
        if configuration.acceptEncoding { standard.append(("Accept-Encoding", "gzip")) }
        if method.hasContent {
            standard.append(("Content-Length", String(body?.count ?? 0)))
            standard.append(("Content-Type", "application/x-www-form-urlencoded"))
        }
        let own = Set(given.map { $0.name.lowercased() })
        return standard.filter { !own.contains($0.name.lowercased()) } + given
    }
}

/// W3C Trace Context (https://www.w3.org/TR/trace-context/), version 00; always with the flag "sampled".
package struct TraceContext: Hashable, Sendable {
    package static let headerName = "traceparent"

    private let traceHigh: UInt64
    private let traceLow: UInt64
    private let parent: UInt64

    /// Invalid ids, nothing but zeros, become 1.
    package init(traceHigh: UInt64, traceLow: UInt64, parent: UInt64) {
        self.traceHigh = traceHigh
        self.traceLow = traceHigh == 0 && traceLow == 0 ? 1 : traceLow
        self.parent = parent == 0 ? 1 : parent
    }

    package var traceID: String { traceHigh.hexadecimal(digits: 16) + traceLow.hexadecimal(digits: 16) }

    package var headerValue: String { "00-\(traceID)-\(parent.hexadecimal(digits: 16))-01" }
}
