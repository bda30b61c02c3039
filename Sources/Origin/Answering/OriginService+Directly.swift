import HTTPTypes
import NIOCore
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

package struct DirectAnswer: Sendable {
    fileprivate let answer: Answer
    package let sentBodyBytes: Int
    /// Later than the request for a held answer.
    package let releasedAt: WallTime
    package let arrival: FaultEffects.Delivery

    package var status: Int { answer.status.code }

    package var isImmutable: Bool { answer.fields[.cacheControl] == Caching.immutable.field }

    /// In the headers' coding, valid during the call.
    package func readBody(_ take: (UnsafeRawBufferPointer) -> Void) { answer.body.withUnsafeReadableBytes(take) }

    package var headers: [String: String] { answer.fields.reduce(into: [:]) { $0[$1.name.canonicalName] = $1.value } }

    package func header(_ name: String) -> String? { values(of: name).first }

    package func values(of name: String) -> [String] { HTTPField.Name(name).map { answer.fields[values: $0] } ?? [] }
}

extension OriginService {
    /// End of the newest listed media.
    package func liveEdge(at now: WallTime) -> WallTime? {
        channel.timeline.edge(at: now).map(channel.timeline.publication)
    }

    package func closed(_ connection: AnyObject) { ledger.closed(connection: ObjectIdentifier(connection)) }

    /// Instants must ascend; `countsGzip` gives the compressed size of the uncompressed body.
    package func answer(_ request: DirectRequest, at now: WallTime, countsGzip: Bool = false) -> DirectAnswer {
        let connection = ObjectIdentifier(request.connection ?? self)
        var (exchange, _) = arrived(request.head, connection: connection, at: now)
        let leaves = now + (exchange.onward == nil ? exchange.effects?.delay ?? .zero : .zero)
        if exchange.isReset {
            return DirectAnswer(answer: .empty(.noContent), sentBodyBytes: 0, releasedAt: leaves, arrival: .reset)
        }
        if let redirect = redirect(exchange) {
            return DirectAnswer(answer: sent(redirect, exchange), sentBodyBytes: 0, releasedAt: leaves, arrival: .whole)
        }
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
        return DirectAnswer(
            answer: sent(answer, exchange),
            sentBodyBytes: isCut ? bytes / 2 : bytes,
            releasedAt: max(leaves, exchange.now),
            arrival: isCut ? .truncated : .whole
        )
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
