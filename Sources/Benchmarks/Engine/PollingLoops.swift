import Glibc
import Swarm
import Transport
import Values

/// Every viewer polls again once answered, until the time or the number of answers is reached.
final class ClosedLoop: EngineWorkload {
    private unowned let viewers: PollingViewers
    private let nanoseconds: Int64
    @exclusivity(unchecked) private var toAsk: Int
    @exclusivity(unchecked) private var inFlight = 0
    private var deadline = Instant.zero
    private var before = ProcessUsage.now()

    init(_ order: EngineOrder, _ viewers: PollingViewers) {
        self.viewers = viewers
        nanoseconds = order.requests == nil ? Int64(order.seconds) * 1_000_000_000 : .max / 2
        toAsk = order.requests ?? .max
    }

    func begin() {
        before = ProcessUsage.now()
        let now = MonotonicClock.now()
        deadline = now &+ nanoseconds
        guard nanoseconds > 0 else { return viewers.end() }
        for viewer in 0..<viewers.count where toAsk > 0 { ask(viewer, now) }
        if inFlight == 0 { viewers.end() }
    }

    private func ask(_ viewer: Int, _ now: Instant) {
        toAsk -= 1
        inFlight += 1
        viewers.ask(viewer, plannedAt: now)
    }

    func answered(viewer: Int, plannedAt: Instant, sentAt: Instant, doneAt: Instant) {
        inFlight -= 1
        viewers.report.loopRequests += 1
        if doneAt < deadline, toAsk > 0 {
            ask(viewer, doneAt)
        } else if inFlight == 0 {
            viewers.report.loopCPUMicroseconds = Int(ProcessUsage.now().cpuMicroseconds - before.cpuMicroseconds)
            viewers.end()
        }
    }
}

/// Viewers poll in turn at planned instants.
final class OpenLoop: EngineWorkload, TimerHandler {
    private unowned let viewers: PollingViewers
    /// Nanoseconds between polls of one viewer, and of consecutive viewers.
    private let period: Int64
    private let distance: Double
    private let nanoseconds: Int64
    private var end = Instant.zero
    private var lateness: [Double] = []
    private var waiting = 0
    private var before = ProcessUsage.now()

    /// Nanoseconds for the loop to become idle.
    private static let lead: Int64 = 200_000_000

    init(_ order: EngineOrder, _ viewers: PollingViewers) {
        self.viewers = viewers
        distance = 1e9 / Double(max(order.requestsPerSecond, 1))
        period = Int64(distance * Double(order.viewers))
        nanoseconds = Int64(order.seconds) * 1_000_000_000
        lateness.reserveCapacity(order.requestsPerSecond * (order.seconds + 1))
    }

    func begin() {
        before = ProcessUsage.now()
        let start = MonotonicClock.now().later(by: Self.lead)
        end = start.later(by: nanoseconds)
        for viewer in 0..<viewers.count { plan(viewer, at: start.later(by: Int64(distance * Double(viewer)))) }
    }

    private func plan(_ viewer: Int, at instant: Instant) {
        guard instant < end else { return }
        waiting += 1
        viewers.loop.schedule(at: instant, token: UInt64(viewer), handler: self)
    }

    func timerFired(token: UInt64, deadline: Instant) { viewers.ask(Int(token), plannedAt: deadline) }

    func answered(viewer: Int, plannedAt: Instant, sentAt: Instant, doneAt: Instant) {
        lateness.append(Double(sentAt.nanoseconds(since: plannedAt)))
        viewers.report.loopRequests += 1
        waiting -= 1
        plan(viewer, at: plannedAt.later(by: period))
        guard waiting == 0 else { return }
        viewers.report.loopCPUMicroseconds = Int(ProcessUsage.now().cpuMicroseconds - before.cpuMicroseconds)
        let quantiles: [Quantity: Double?] = [
            .latenessMedian: lateness.median, .lateness99: lateness.percentile(0.99),
            .lateness999: lateness.percentile(0.999), .latenessMaximum: lateness.max(),
        ]
        viewers.report.lateness = quantiles.compactMapValues { $0.map { $0 / 1000 } }
        viewers.end()
    }
}

/// All viewers poll at one instant, by turns with a bare loop over the same connections; TLS has no bare loop.
final class Burst: EngineWorkload, TimerHandler {
    private unowned let viewers: PollingViewers
    private let bytes: [UInt8]
    private let isBareToo: Bool
    private var repetitions: Int
    private var due = Instant.zero
    private var sends: [(viewer: Int, at: Instant)] = []

    /// Idle nanoseconds before each burst.
    private static let lead: Int64 = 400_000_000
    private static let bareToken = UInt64.max

    init(_ order: EngineOrder, _ viewers: PollingViewers) {
        self.viewers = viewers
        repetitions = order.repetitions
        isBareToo = !order.scheme.isSecure
        bytes = Array(
            "GET \(NginxServer.playlistPath) HTTP/1.1\r\nHost: \(order.origin.dropFirst(7))\r\nAccept: */*\r\n\r\n".utf8
        )
        sends.reserveCapacity(order.viewers)
    }

    func begin() {
        sends.removeAll(keepingCapacity: true)
        due = MonotonicClock.now().later(by: Self.lead)
        for viewer in 0..<viewers.count { viewers.loop.schedule(at: due, token: UInt64(viewer), handler: self) }
    }

    func timerFired(token: UInt64, deadline: Instant) {
        if token == Self.bareToken {
            sendBare(due: deadline.later(by: Self.lead))
        } else {
            viewers.ask(Int(token), plannedAt: deadline)
        }
    }

    func answered(viewer: Int, plannedAt: Instant, sentAt: Instant, doneAt: Instant) {
        sends.append((viewer, sentAt))
        guard sends.count == viewers.count else { return }
        viewers.report.loopRequests += sends.count
        if let times = Quantity.burst(due: due, sends: sends.map(\.at), lastAnswer: doneAt) {
            viewers.report.bursts.append(times)
        }
        guard isBareToo else { return goOn() }
        // A later turn, when the transport has finished with this one.
        viewers.loop.schedule(at: doneAt.later(by: .milliseconds(1)), token: Self.bareToken, handler: self)
    }

    private func sendBare(due: Instant) {
        let inOrder = sends.sorted { $0.at < $1.at }.map(\.viewer)
        let descriptors = inOrder.flatMap { viewers.transport.descriptors(of: viewers.owners[$0]) }
        guard descriptors.count == viewers.count,
            let times = BareSend(descriptors: descriptors, request: bytes).run(due: due)
        else {
            viewers.report.failures += 1
            viewers.end()
            return
        }
        viewers.report.bareBursts.append(times)
        goOn()
    }

    private func goOn() {
        repetitions -= 1
        repetitions > 0 ? begin() : viewers.end()
    }
}

/// Least possible cost of a burst: `send` in a loop, then every answer read.
struct BareSend {
    let descriptors: [Int32]
    let request: [UInt8]

    /// Milliseconds until an answer counts as missing.
    private static let patience: Int32 = 10_000

    /// Blocks its thread, so that the loop reads no answers; nil if one is missing.
    func run(due: Instant) -> [Quantity: Double]? {
        var sends = [Instant](repeating: .zero, count: descriptors.count)
        while MonotonicClock.now() < due {}
        for (index, descriptor) in descriptors.enumerated() {
            sends[index] = MonotonicClock.now()
            guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        // All answers are equally long: the playlist does not change.
        var length: Int?
        for descriptor in descriptors { guard Self.readAnswer(from: descriptor, &buffer, &length) else { return nil } }
        return Quantity.burst(due: due, sends: sends, lastAnswer: MonotonicClock.now())
    }

    private static func readAnswer(from descriptor: Int32, _ buffer: inout [UInt8], _ length: inout Int?) -> Bool {
        var filled = 0
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                recv(descriptor, bytes.baseAddress.map { $0 + filled }, bytes.count - filled, 0)
            }
            if count > 0 {
                filled += count
                length = length ?? AnswerLength(buffer[..<filled])?.bytes
                if let length, filled >= length { return filled == length }
            } else if count == 0 || errno != EAGAIN || !isReadable(descriptor) {
                return false
            }
        }
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, patience) == 1
    }
}

struct AnswerLength {
    let bytes: Int

    init?(_ answer: ArraySlice<UInt8>) {
        let text = String(decoding: answer, as: UTF8.self)
        guard let end = text.utf8.firstRange(of: "\r\n\r\n".utf8),
            let match = text[..<end.lowerBound].firstMatch(of: /(?i)content-length: *(\d+)/), let length = Int(match.1)
        else { return nil }
        bytes = text.utf8.distance(from: text.utf8.startIndex, to: end.upperBound) + length
    }
}
