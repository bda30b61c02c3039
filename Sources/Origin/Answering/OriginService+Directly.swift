import HTTPTypes
import NIOCore
package import Rules
package import Transport
package import Values

package struct DirectRequest {
    package var method = PreparedRequest.Method.get
    package var target: String
    package var authority: String
    package var viewer: Int
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    /// Nil for a connection that all requests share.
    package var connection: AnyObject?

    package init(target: String, authority: String, viewer: Int) {
        (self.target, self.authority, self.viewer) = (target, authority, viewer)
    }
}

/// An answer in virtual time, redirects followed by who asked.
package struct VirtualAnswer {
    /// After redirects.
    package var url = ""
    /// Later than the request where the target delays the answer.
    package var releasedAt: WallTime
    /// 0 without an answer.
    package var status = 0
    /// nil for a whole answer.
    package var failure: TransportFailure?
    /// Encoded.
    package var bodyBytes = 0
    package var redirects = 0
    package var leftHost = false
    package var flaws = AnswerFlaws()
    /// Keys in lower case.
    package var headers: [String: String] = [:]
    /// With the port; empty where unknown.
    package var address = ""
    /// Whether the body at this URL never changes.
    package var isImmutable = false
    /// The body is coded as the headers say, and valid during the call; nil for an empty one.
    package var body: (((UnsafeRawBufferPointer) -> Void) -> Void)?

    package init(url: String = "", releasedAt: WallTime) { (self.url, self.releasedAt) = (url, releasedAt) }

    fileprivate init(_ answer: Answer, releasedAt: WallTime, sends bytes: Int = 0) {
        self.init(releasedAt: releasedAt)
        (status, bodyBytes, flaws) = (answer.status.code, bytes, answer.flaws)
        headers = answer.fields.reduce(into: [:]) { $0[$1.name.canonicalName] = $1.value }
        isImmutable = answer.fields[.cacheControl] == Caching.immutable.field
        body = { answer.body.withUnsafeReadableBytes($0) }
    }

    package func readBody(_ take: (UnsafeRawBufferPointer) -> Void) {
        if let body { body(take) } else { take(UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}

extension Answer {
    fileprivate var flaws: AnswerFlaws {
        var flaws = AnswerFlaws()
        let (lengths, isCoded) = (fields[values: .contentLength], fields[.transferEncoding] != nil)
        if Set(lengths).count > 1 { flaws.formUnion(.lengthInvalid) }
        if !lengths.isEmpty, isCoded { flaws.formUnion(.lengthWithTransferCoding) }
        if lengths.isEmpty, !isCoded, fields[.connection] == "close" { flaws.formUnion(.closeUnannounced) }
        // Viewers send no range requests.
        if status == .partialContent { flaws.formUnion(.partialUnasked) }
        return flaws
    }
}

extension OriginService {
    /// End of the newest listed media.
    package func liveEdge(at now: WallTime) -> WallTime? {
        channel.timeline.edge(at: now).map(channel.timeline.publication)
    }

    package func closed(_ connection: AnyObject) { ledger.closed(connection: ObjectIdentifier(connection)) }

    /// Instants must ascend; `countsGzip` gives the compressed size of the uncompressed body.
    package func answer(_ request: DirectRequest, at now: WallTime, countsGzip: Bool = false) -> VirtualAnswer {
        let connection = ObjectIdentifier(request.connection ?? self)
        var (exchange, _) = arrived(request.head, connection: connection, at: now)
        let leaves = now + (exchange.onward == nil ? exchange.effects?.delay ?? .zero : .zero)
        if exchange.isReset {
            var reset = VirtualAnswer(releasedAt: leaves)
            reset.failure = .reset
            return reset
        }
        if let redirect = redirect(exchange) { return VirtualAnswer(sent(redirect, exchange), releasedAt: leaves) }
        if let release = release(of: exchange).map({ max(leaves, $0) }), release > exchange.now {
            ledger.began()
            released(&exchange, at: release, due: release)
        }
        let isJSON = !request.body.isEmpty && request.contentType?.hasPrefix("application/json") == true
        let body = ByteBuffer(bytes: request.body)
        var answer = answer(exchange, body: body, isJSON: isJSON)
        let isCut = exchange.effects?.delivery == .truncated && answer.body.readableBytes > 1
        if !isCut { answer = answer.misframed(as: framing(of: exchange), gzip: exchange.acceptsGzip) }
        var bytes = answer.body.readableBytes
        if countsGzip, answer.fields[.vary] != nil {
            // Only such an answer has a compressed form.
            exchange.acceptsGzip = true
            bytes = self.answer(exchange, body: body, isJSON: isJSON).body.readableBytes
        }
        let end = max(leaves, exchange.now)
        var virtual = VirtualAnswer(sent(answer, exchange), releasedAt: end, sends: isCut ? bytes / 2 : bytes)
        if isCut { virtual.failure = .truncated }
        return virtual
    }

    /// A held request counts as arrived at its release.
    func released(_ exchange: inout Exchange, at now: WallTime, due release: WallTime) {
        let waited = now.duration(since: exchange.now)
        (exchange.now, exchange.heldFor) = (now, waited)
        let late = now.duration(since: release).wholeMicroseconds
        ledger.ended(after: waited.wholeMicroseconds, late: late, instant: release.microseconds)
    }

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
        headers.append(HTTPField(name: .viewerNumber, value: String(viewer)))
        let method = HTTPRequest.Method(rawValue: method.rawValue) ?? .get
        return HTTPRequest(method: method, scheme: nil, authority: authority, path: target, headerFields: headers)
    }
}
