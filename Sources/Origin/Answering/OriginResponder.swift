import HLS
import HTTPTypes
import NIOCore
import Synchronization

/// Ends a request's connection on purpose; never seen by a client as an answer.
private struct DeliberateClose: Error {}

/// Carries requests from their connections to the service and its answers back.
package final class OriginResponder: Sendable {
    /// Longest registration body that is read.
    package static let maximumBodyBytes = 64 * 1024

    private struct DateText {
        var epochSeconds: Int64 = -1
        var text = ""
    }

    private let service: OriginService
    private let held = HeldAnswers()
    private let date = Mutex(DateText())

    package init(service: OriginService) {
        self.service = service
    }

    /// Answers one request; throws only to end its connection.
    package func respond(to request: any OriginRequest) async throws {
        let connection = request.connection
        let identifier = ObjectIdentifier(connection)
        var (exchange, isFirst) = service.arrived(request.head, connection: identifier, at: service.clock.now())
        if isFirst {
            connection.closeFuture.whenComplete { [service] _ in service.ledger.closed(connection: identifier) }
        }
        var body = ByteBuffer()
        if exchange.method == .post {
            guard let whole = try await request.wholeBody() else {
                return try await write(.empty(.contentTooLarge), exchange, request)
            }
            body = whole
        }
        if let onward = exchange.onward {
            var answer = Answer.empty(.found)
            answer.fields[.location] = onward
            return try await write(answer, exchange, request)
        }
        if let effects = exchange.effects {
            if effects.delay > .zero { try await Task.sleep(for: effects.delay) }
            if effects.delivery == .reset { return request.reset() }
            if let redirection = effects.redirection {
                return try await write(redirect(exchange, to: redirection), exchange, request)
            }
        }
        if let release = service.release(of: exchange) {
            await hold(&exchange, until: release, on: connection.eventLoop)
            // Whoever has gone in the meantime is not told what would have been there.
            try Task.checkCancellation()
        }
        let fields = request.head.headerFields
        let isJSON = body.readableBytes > 0 && (fields[.contentType]?.hasPrefix("application/json") ?? false)
        let answer = service.answer(exchange, body: body, isJSON: isJSON)
        if exchange.effects?.delivery == .truncated, answer.body.readableBytes > 1 {
            try await truncate(answer, exchange, request)
            throw DeliberateClose()
        }
        if let framing = exchange.effects?.framing, !service.configuration.useHTTP2 {
            let misframed = answer.misframed(as: framing, gzip: exchange.acceptsGzip)
            return try await write(misframed, exchange, request)
        }
        try await write(answer, exchange, request)
    }

    /// Waits for what a request asks for; it is then as if it had come only now.
    private func hold(_ exchange: inout Exchange, until release: WallTime, on loop: any EventLoop) async {
        service.delivery.began()
        await held.wait(until: release, remaining: release.duration(since: service.clock.now()), on: loop)
        let arrival = exchange.now
        exchange.now = max(service.clock.now(), release)
        let waited = exchange.now.duration(since: arrival)
        exchange.heldFor = waited
        service.delivery.ended(
            after: waited.wholeMicroseconds,
            late: exchange.now.duration(since: release).wholeMicroseconds,
            instant: release.microseconds
        )
    }

    private func write(_ answer: Answer, _ exchange: Exchange, _ request: any OriginRequest) async throws {
        try await request.send(head(answer, exchange), answer.body)
    }

    /// Sends the head and half of the body that it announces.
    private func truncate(_ answer: Answer, _ exchange: Exchange, _ request: any OriginRequest) async throws {
        let half = answer.body.getSlice(at: answer.body.readerIndex, length: answer.body.readableBytes / 2)
        try await request.send(head(answer, exchange), part: half ?? ByteBuffer())
        // A client that reads the reset of an HTTP/2 stream together with the half may drop both.
        try await Task.sleep(for: .milliseconds(20))
    }

    /// The head of an answer, which is counted now.
    private func head(_ answer: Answer, _ exchange: Exchange) -> HTTPResponse {
        if let kind = exchange.kind { service.ledger.answered(kind, status: answer.status.code) }
        var fields = answer.fields
        fields.append(HTTPField(name: .date, value: dateText(exchange.now)))
        // A page of any other origin may play the channel (Fetch standard, CORS protocol).
        fields.append(HTTPField(name: .accessControlAllowOrigin, value: "*"))
        if let cookie = exchange.cookie { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        if service.faults.plan.edges.count > 1 { fields.append(HTTPField(name: .edge, value: String(exchange.edge))) }
        return HTTPResponse(status: answer.status, headerFields: fields)
    }

    private func redirect(_ exchange: Exchange, to redirection: FaultEffects.Redirection) -> Answer {
        var answer = Answer.empty(.found)
        answer.fields[.location] =
            switch redirection {
            case .samePlace: OwnRedirect.once + exchange.target
            // A documentation address (RFC 5737) that nobody can have authorised and nothing answers at.
            case .unauthorisedHost: "http://192.0.2.1" + exchange.target
            case .chain: OwnRedirect.once + OwnRedirect.once + OwnRedirect.once + exchange.target
            case .loop: OwnRedirect.forEver + exchange.target
            case .otherHost: service.otherBase(exchange) + OwnRedirect.once + exchange.target
            }
        return answer
    }

    private func dateText(_ now: WallTime) -> String {
        date.withLock { date in
            let seconds = now.epochSeconds
            if date.epochSeconds != seconds {
                date.epochSeconds = seconds
                date.text = HTTPDate.text(epochSeconds: seconds)
            }
            return date.text
        }
    }
}
