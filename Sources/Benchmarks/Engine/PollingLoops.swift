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
        guard nanoseconds > 0 else {
            viewers.end()
            return
        }
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
    private let slots: PollSlots
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
        slots = PollSlots(length: .microseconds(order.slotMicroseconds))
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
        viewers.loop.schedule(at: slots.slot(for: instant), token: UInt64(viewer), handler: self)
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
