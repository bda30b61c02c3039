import HLS
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import ServerTLS
import Synchronization

/// Ends a request's connection on purpose; never seen by a client as an answer.
private struct DeliberateClose: Error {}

/// Carries requests from Hummingbird's channels to the service and its answers back.
final class OriginResponder: Sendable {
    /// Longest registration body that is read.
    private static let maximumBodyBytes = 64 * 1024

    private struct DateText {
        var epochSeconds: Int64 = -1
        var text = ""
    }

    private let service: OriginService
    private let held = HeldAnswers()
    private let date = Mutex(DateText())
    private let listener = Mutex<ObjectIdentifier?>(nil)

    init(service: OriginService) {
        self.service = service
    }

    /// Tells which channel listens; parents of all other kinds are HTTP/2 connections.
    func listens(on channel: any Channel) {
        listener.withLock { $0 = ObjectIdentifier(channel) }
    }

    /// Answers one request; throws only to end its connection.
    func respond(to request: Request, writer: consuming ResponseWriter, channel: any Channel) async throws {
        let connection = connection(of: channel)
        let identifier = ObjectIdentifier(connection)
        var (exchange, isFirst) = service.arrived(request.head, connection: identifier, at: WallClock.now())
        if isFirst {
            connection.closeFuture.whenComplete { [service] _ in service.ledger.closed(connection: identifier) }
        }
        var body = ByteBuffer()
        if exchange.method == .post {
            guard let collected = try? await request.body.collect(upTo: Self.maximumBodyBytes) else {
                return try await write(.empty(.contentTooLarge), exchange, writer)
            }
            body = collected
        }
        if let onward = exchange.onward {
            var answer = Answer.empty(.found)
            answer.fields[.location] = onward
            return try await write(answer, exchange, writer)
        }
        if let effects = exchange.effects {
            if effects.delay > .zero { try await Task.sleep(for: effects.delay) }
            if effects.delivery == .reset {
                Self.reset(connection, stream: channel)
                throw DeliberateClose()
            }
            if let redirection = effects.redirection {
                return try await write(redirect(exchange, to: redirection), exchange, writer)
            }
        }
        if let release = service.release(of: exchange) {
            await hold(&exchange, until: release, on: channel.eventLoop)
        }
        let isJSON = body.readableBytes > 0 && (request.headers[.contentType]?.hasPrefix("application/json") ?? false)
        let answer = service.answer(exchange, body: body, isJSON: isJSON)
        if exchange.effects?.delivery == .truncated, answer.body.readableBytes > 1 {
            try await truncate(answer, exchange, writer)
            channel.close(promise: nil)
            throw DeliberateClose()
        }
        try await write(answer, exchange, writer)
    }

    /// Waits for what a request asks for; it is then as if it had come only now.
    private func hold(_ exchange: inout Exchange, until release: WallTime, on loop: any EventLoop) async {
        service.delivery.began()
        await held.wait(until: release, remaining: release.duration(since: WallClock.now()), on: loop)
        let arrival = exchange.now
        exchange.now = max(WallClock.now(), release)
        let waited = exchange.now.duration(since: arrival)
        exchange.heldFor = waited
        service.delivery.ended(
            after: waited.wholeMicroseconds,
            late: exchange.now.duration(since: release).wholeMicroseconds,
            instant: release.microseconds
        )
    }

    private func write(_ answer: Answer, _ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        let head = head(answer, exchange)
        let body = exchange.method == .head ? ResponseBody() : ResponseBody(byteBuffer: answer.body)
        try await writer.write(response: head, body: body)
    }

    /// Sends the head and half of the body that it announces.
    private func truncate(_ answer: Answer, _ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        let half = answer.body.getSlice(at: answer.body.readerIndex, length: answer.body.readableBytes / 2)
        var bodyWriter = try await writer.writeHead(head(answer, exchange))
        try await bodyWriter.write(half ?? ByteBuffer())
    }

    /// The head of an answer, which is counted now.
    private func head(_ answer: Answer, _ exchange: Exchange) -> HTTPResponse {
        if let kind = exchange.kind { service.ledger.answered(kind, status: answer.status.code) }
        var fields = answer.fields
        fields.append(HTTPField(name: .date, value: dateText(exchange.now)))
        if service.plan.edges.count > 1 { fields.append(HTTPField(name: .edge, value: String(exchange.edge))) }
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

    /// The connection that a request came on: with HTTP/2 its stream's parent, with HTTP/1.1 its own channel.
    private func connection(of channel: any Channel) -> any Channel {
        guard let parent = channel.parent, ObjectIdentifier(parent) != listener.withLock({ $0 }) else { return channel }
        return parent
    }

    /// Drops an HTTP/1.1 connection so that the client sees a reset; of an HTTP/2 connection only the stream.
    private static func reset(_ connection: any Channel, stream: any Channel) {
        if connection === stream, let socket = connection as? any SocketOptionProvider {
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
                // TLS says nothing before; without TLS nobody knows the event.
                stream.triggerUserOutboundEvent(TLSServerHandler.AbruptClose(), promise: nil)
                stream.close(promise: nil)
            }
        } else {
            stream.close(promise: nil)
        }
    }
}
