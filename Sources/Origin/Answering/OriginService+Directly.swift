import HTTPTypes
import NIOCore
package import Time

/// A request that no socket carries.
package struct DirectRequest {
    package enum Method: Sendable {
        case get
        case post
        case put
    }

    package var method: Method
    /// Path and query.
    package var target: String
    /// Host and port that are asked.
    package var authority: String
    /// The number that podswarm's own viewers send.
    package var viewer: Int
    /// Headers besides, with the type of the body.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// Stand-in for its connection; nil: all requests share one.
    package var connection: AnyObject?

    package init(
        _ method: Method = .get,
        target: String,
        authority: String,
        viewer: Int,
        fields: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        connection: AnyObject? = nil
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.viewer = viewer
        self.fields = fields
        self.body = body
        self.connection = connection
    }
}

/// The answer to a request that no socket carried.
package struct DirectAnswer: Sendable {
    /// How much of it arrives.
    package enum Arrival: Sendable {
        case whole
        /// The connection is reset in its place.
        case reset
        /// The connection closes in the middle of the body.
        case truncated
    }

    private let answer: Answer
    /// Size of the body as it would be sent: compressed where the client takes that.
    package let sentBodyBytes: Int
    /// When it would be sent: later than it was asked for where the server holds it back.
    package let releasedAt: WallTime
    package let arrival: Arrival

    fileprivate init(_ answer: Answer, sentBodyBytes: Int, releasedAt: WallTime, arrival: Arrival = .whole) {
        self.answer = answer
        self.sentBodyBytes = sentBodyBytes
        self.releasedAt = releasedAt
        self.arrival = arrival
    }

    package var status: Int { answer.status.code }

    /// Whether the bytes behind the URL never change.
    package var isImmutable: Bool { answer.fields[.cacheControl] == Caching.immutable.field }

    /// Hands over the body, coded as the headers say, for the time of the call.
    package func readBody(_ take: (UnsafeRawBufferPointer) -> Void) { answer.body.withUnsafeReadableBytes(take) }

    /// By name in lower case.
    package var headers: [String: String] {
        answer.fields.reduce(into: [:]) { $0[$1.name.canonicalName] = $1.value }
    }

    /// The value of a header, named in lower case; nil where there is none.
    package func header(_ name: String) -> String? { values(of: name).first }

    /// The values of a header in their order.
    package func values(of name: String) -> [String] {
        answer.fields.filter { $0.name.canonicalName == name }.map(\.value)
    }
}

extension OriginService {
    /// The end of the newest media that the channel lists at an instant; nil before the first.
    package func liveEdge(at now: WallTime) -> WallTime? {
        channel.timeline.edge(at: now).map(channel.timeline.publication)
    }

    /// Notes that what stands for a connection is closed.
    package func closed(_ connection: AnyObject) { ledger.closed(connection: ObjectIdentifier(connection)) }

    /// What a client would be answered that asks at an instant, which need not be now.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - now: When. Requests are to be asked in the order of their instants.
    ///   - countsGzip: Whether the size is that of the compressed form, though the body is not compressed.
    /// - Returns: The answer, which may be released later.
    package func answer(_ request: DirectRequest, at now: WallTime, countsGzip: Bool = false) -> DirectAnswer {
        let connection = ObjectIdentifier(request.connection ?? self)
        var (exchange, _) = arrived(request.head, connection: connection, at: now)
        let leaves = now + (exchange.onward == nil ? exchange.effects?.delay ?? .zero : .zero)
        if exchange.isReset {
            return DirectAnswer(.empty(.noContent), sentBodyBytes: 0, releasedAt: leaves, arrival: .reset)
        }
        if let redirect = redirect(exchange) {
            return DirectAnswer(sent(redirect, exchange), sentBodyBytes: 0, releasedAt: leaves)
        }
        if let release = release(of: exchange) { hold(&exchange, until: max(leaves, release)) }
        let isJSON = !request.body.isEmpty && request.contentType?.hasPrefix("application/json") == true
        let body = ByteBuffer(bytes: request.body)
        var answer = answer(exchange, body: body, isJSON: isJSON)
        let isCut = exchange.effects?.delivery == .truncated && answer.body.readableBytes > 1
        if !isCut { answer = answer.misframed(as: framing(of: exchange), gzip: exchange.acceptsGzip) }
        var bytes = answer.body.readableBytes
        if countsGzip, exchange.route.hasCompressedForm {
            exchange.acceptsGzip = true
            bytes = self.answer(exchange, body: body, isJSON: isJSON).body.readableBytes
        }
        return DirectAnswer(
            sent(answer, exchange),
            sentBodyBytes: isCut ? bytes / 2 : bytes,
            releasedAt: max(leaves, exchange.now),
            arrival: isCut ? .truncated : .whole
        )
    }

    /// It is then as if the request had come only at its release.
    private func hold(_ exchange: inout Exchange, until release: WallTime) {
        let waited = release.duration(since: exchange.now)
        guard waited > .zero else { return }
        delivery.began()
        exchange.now = release
        exchange.heldFor = waited
        delivery.ended(after: waited.wholeMicroseconds, late: 0, instant: release.microseconds)
    }

    /// With the head that goes before it.
    private func sent(_ answer: Answer, _ exchange: Exchange) -> Answer {
        var answer = answer
        answer.fields = head(answer, exchange).headerFields
        return answer
    }
}

extension DirectRequest {
    fileprivate var contentType: String? { fields.last { $0.name.lowercased() == "content-type" }?.value }

    fileprivate var head: HTTPRequest {
        var headers = HTTPFields()
        for field in fields {
            if let name = HTTPField.Name(field.name) { headers.append(HTTPField(name: name, value: field.value)) }
        }
        headers[.viewerNumber] = String(viewer)
        let method: HTTPRequest.Method =
            switch self.method {
            case .get: .get
            case .post: .post
            case .put: .put
            }
        return HTTPRequest(method: method, scheme: nil, authority: authority, path: target, headerFields: headers)
    }
}

extension Route {
    /// Whether the answer has a compressed form too, and may be asked for once more to see it.
    fileprivate var hasCompressedForm: Bool {
        switch self {
        case .multivariant, .livePlaylist, .metadata: true
        case .target(.tailorMultivariant), .target(.tailorMedia): true
        case .target(.proxyMultivariant), .target(.proxyMedia), .target(.templateContent): true
        default: false
        }
    }
}
