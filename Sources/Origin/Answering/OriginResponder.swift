import HLS
import HTTPTypes
import NIOCore
import Transport

private struct DeliberateClose: Error {}

final class OriginResponder: Sendable {
    static let maximumBodyBytes = 64 * 1024

    private let service: OriginService

    init(service: OriginService) { self.service = service }

    /// The connection must end after an error.
    func respond(to request: ServedRequest) async throws {
        let connection = request.connection
        let identifier = ObjectIdentifier(connection)
        var (exchange, isFirst) = service.arrived(request.head, connection: identifier, at: service.clock.now())
        if isFirst {
            connection.closeFuture.whenComplete { [service] _ in service.ledger.closed(connection: identifier) }
        }
        var body = ByteBuffer()
        if exchange.method == .post {
            do {
                body = try await request.body()
            } catch is BodyTooLarge {
                return try await write(.empty(.contentTooLarge), exchange, request)
            }
        }
        if exchange.onward == nil, let delay = exchange.effects?.delay, delay > .zero {
            try await Task.sleep(for: delay)
        }
        if exchange.isReset { return request.reset() }
        if let redirect = service.redirect(exchange) { return try await write(redirect, exchange, request) }
        if let release = service.release(of: exchange) {
            await hold(&exchange, until: release, on: connection.eventLoop)
            try Task.checkCancellation()
        }
        let fields = request.head.headerFields
        let isJSON = body.readableBytes > 0 && (fields[.contentType]?.hasPrefix("application/json") ?? false)
        let answer = service.answer(exchange, body: body, isJSON: isJSON)
        if exchange.effects?.delivery == .truncated, answer.body.readableBytes > 1 {
            try await truncate(answer, exchange, request)
            throw DeliberateClose()
        }
        let framing = service.framing(of: exchange)
        let framed = answer.misframed(as: framing, gzip: exchange.acceptsGzip)
        guard framing == .silentClose else { return try await write(framed, exchange, request) }
        try await request.begin(service.head(framed, exchange))
        try await request.write(framed.body)
        connection.triggerUserOutboundEvent(TLSServerHandler.AbruptClose(), promise: nil)
        throw DeliberateClose()
    }

    private func hold(_ exchange: inout Exchange, until release: WallTime, on loop: any NIOCore.EventLoop) async {
        service.ledger.began()
        await Self.wait(release.duration(since: service.clock.now()), on: loop)
        service.released(&exchange, at: max(service.clock.now(), release), due: release)
    }

    /// On time, which no sleep of a task is; ends with its task.
    static func wait(_ time: Duration, on loop: any NIOCore.EventLoop) async {
        guard time > .zero else { return }
        let timer = loop.scheduleTask(in: .microseconds(time.wholeMicroseconds)) {}
        await withTaskCancellationHandler {
            try? await timer.futureResult.get()
        } onCancel: {
            // A client that asks and leaves, again and again, must not fill the queue.
            timer.cancel()
        }
    }

    private func write(_ answer: Answer, _ exchange: Exchange, _ request: ServedRequest) async throws {
        try await request.send(service.head(answer, exchange), answer.body)
    }

    private func truncate(_ answer: Answer, _ exchange: Exchange, _ request: ServedRequest) async throws {
        let half = answer.body.getSlice(at: answer.body.readerIndex, length: answer.body.readableBytes / 2)
        try await request.begin(service.head(answer, exchange))
        try await request.write(half ?? ByteBuffer())
        // A client that reads an HTTP/2 reset together with the half may drop both.
        try await Task.sleep(for: .milliseconds(20))
    }
}
