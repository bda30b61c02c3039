import HTTPTypes
import NIOCore
package import Time

/// A request that no connection carries.
package struct DirectRequest: Sendable {
    package var isPost: Bool
    /// Path and query.
    package var target: String
    /// Host and port that are asked.
    package var authority: String
    /// The number that podswarm's own viewers send.
    package var viewer: Int
    package var contentType: String?
    package var body: [UInt8]

    package init(
        isPost: Bool = false,
        target: String,
        authority: String,
        viewer: Int,
        contentType: String? = nil,
        body: [UInt8] = []
    ) {
        self.isPost = isPost
        self.target = target
        self.authority = authority
        self.viewer = viewer
        self.contentType = contentType
        self.body = body
    }
}

/// The answer to a request that no connection carried.
package struct DirectAnswer: Sendable {
    private let answer: Answer
    /// Size of the body as it would be sent: compressed where the client takes that.
    package let sentBodyBytes: Int
    /// When it would be sent: later than it was asked for where the server holds it back.
    package let releasedAt: WallTime

    fileprivate init(_ answer: Answer, sentBodyBytes: Int, releasedAt: WallTime) {
        self.answer = answer
        self.sentBodyBytes = sentBodyBytes
        self.releasedAt = releasedAt
    }

    package var status: Int { answer.status.code }

    /// Whether the bytes behind the URL never change.
    package var isImmutable: Bool { answer.fields[.cacheControl] == Caching.immutable.field }

    /// Hands over the body, never compressed, for the time of the call.
    package func readBody(_ take: (UnsafeRawBufferPointer) -> Void) { answer.body.withUnsafeReadableBytes(take) }

    /// By name in lower case.
    package var headers: [String: String] {
        answer.fields.reduce(into: [:]) { $0[$1.name.canonicalName] = $1.value }
    }

    /// The value of a header, named in lower case; nil where there is none.
    package func header(_ name: String) -> String? {
        answer.fields.first { $0.name.canonicalName == name }?.value
    }
}

extension OriginService {
    /// The end of the newest media that the channel lists at an instant; nil before the first.
    package func liveEdge(at now: WallTime) -> WallTime? {
        channel.timeline.edge(at: now).map(channel.timeline.publication)
    }

    /// What a client would be answered that asks at an instant, which need not be now.
    ///
    /// What faults do to the way of an answer (delays, resets, redirects) is left out.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - now: When. Requests are to be asked in the order of their instants.
    ///   - acceptsGzip: Whether the client takes compressed bodies.
    /// - Returns: The answer, which may be released later.
    package func answer(_ request: DirectRequest, at now: WallTime, acceptsGzip: Bool) -> DirectAnswer {
        var fields = HTTPFields()
        fields[.viewerNumber] = String(request.viewer)
        let head = HTTPRequest(
            method: request.isPost ? .post : .get,
            scheme: nil,
            authority: request.authority,
            path: request.target,
            headerFields: fields
        )
        var (exchange, _) = arrived(head, connection: ObjectIdentifier(self), at: now)
        let release = release(of: exchange)
        if let release { exchange.now = max(now, release) }
        let isJSON = !request.body.isEmpty && request.contentType?.hasPrefix("application/json") == true
        let body = ByteBuffer(bytes: request.body)
        let answer = answer(exchange, body: body, isJSON: isJSON)
        var sent = answer.body.readableBytes
        if acceptsGzip, exchange.route.hasCompressedForm {
            exchange.acceptsGzip = true
            sent = self.answer(exchange, body: body, isJSON: isJSON).body.readableBytes
        }
        return DirectAnswer(answer, sentBodyBytes: sent, releasedAt: exchange.now)
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
