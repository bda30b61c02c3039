import HLS
import HTTPTypes
import NIOCore
import Synchronization
import Transport

private struct DeliberateClose: Error {}

final class OriginResponder: Sendable {
    static let maximumBodyBytes = 64 * 1024

    private let service: OriginService
    private let held = HeldAnswers()

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
        await held.wait(until: release, remaining: release.duration(since: service.clock.now()), on: loop)
        service.released(&exchange, at: max(service.clock.now(), release), due: release)
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

/// Requests for one instant share a timer; safe for any thread.
final class HeldAnswers: Sendable {
    /// Keys are instants in microseconds.
    private let waiting = Mutex<[Int64: [EventLoopPromise<Void>]]>([:])

    /// Returns at once if the task is cancelled.
    func wait(until instant: WallTime, remaining: Duration, on loop: any NIOCore.EventLoop) async {
        guard remaining > .zero else { return }
        let promise = loop.makePromise(of: Void.self)
        let isFirst = waiting.withLock { waiting in
            let isFirst = waiting[instant.microseconds] == nil
            waiting[instant.microseconds, default: []].append(promise)
            return isFirst
        }
        if isFirst { loop.scheduleTask(in: .microseconds(remaining.wholeMicroseconds)) { self.release(instant) } }
        await withTaskCancellationHandler {
            try? await promise.futureResult.get()
        } onCancel: {
            // A client that asks and leaves, again and again, must not fill the queue.
            waiting.withLock { _ = $0[instant.microseconds]?.removeAll { $0 == promise } }
            promise.succeed()
        }
    }

    private func release(_ instant: WallTime) {
        for promise in waiting.withLock({ $0.removeValue(forKey: instant.microseconds) }) ?? [] { promise.succeed() }
    }
}
