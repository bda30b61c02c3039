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
        let framed = answer.misframed(as: service.framing(of: exchange), gzip: exchange.acceptsGzip)
        try await write(framed, exchange, request)
    }

    /// The request counts as arrived at its release.
    private func hold(_ exchange: inout Exchange, until release: WallTime, on loop: any NIOCore.EventLoop) async {
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
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Waiting {
        var last: UInt64 = 0
        /// Keys are instants in microseconds.
        var queues: [Int64: [Waiter]] = [:]
        var cancelled: Set<UInt64> = []
    }

    private let waiting = Mutex(Waiting())

    /// Returns at once if the task is cancelled.
    func wait(until instant: WallTime, remaining: Duration, on loop: any NIOCore.EventLoop) async {
        guard remaining > .zero else { return }
        let number = waiting.withLock { waiting in
            waiting.last += 1
            return waiting.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(Waiter(number: number, continuation: continuation), instant, remaining, loop)
            }
        } onCancel: {
            cancel(number, instant)
        }
        waiting.withLock { _ = $0.cancelled.remove(number) }
    }

    private func enqueue(_ waiter: Waiter, _ instant: WallTime, _ remaining: Duration, _ loop: any NIOCore.EventLoop) {
        let isFirst = waiting.withLock { waiting -> Bool? in
            guard waiting.cancelled.remove(waiter.number) == nil else { return nil }
            let isFirst = waiting.queues[instant.microseconds] == nil
            waiting.queues[instant.microseconds, default: []].append(waiter)
            return isFirst
        }
        guard let isFirst else { return waiter.continuation.resume() }
        guard isFirst else { return }
        loop.scheduleTask(in: .microseconds(remaining.wholeMicroseconds)) { self.release(instant) }
    }

    private func release(_ instant: WallTime) {
        let queue = waiting.withLock { $0.queues.removeValue(forKey: instant.microseconds) } ?? []
        for waiter in queue { waiter.continuation.resume() }
    }

    private func cancel(_ number: UInt64, _ instant: WallTime) {
        let waiter = waiting.withLock { waiting -> Waiter? in
            guard let place = waiting.queues[instant.microseconds]?.firstIndex(where: { $0.number == number }) else {
                waiting.cancelled.insert(number)
                return nil
            }
            return waiting.queues[instant.microseconds]?.remove(at: place)
        }
        waiter?.continuation.resume()
    }
}
