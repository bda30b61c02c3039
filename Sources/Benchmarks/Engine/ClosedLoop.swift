import Swarm
import Transport
import Values

/// Every viewer polls again as soon as it has been answered, until the time is up or the number of answers is reached.
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
