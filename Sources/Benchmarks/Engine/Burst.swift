import Transport
import Values

/// All viewers poll at one instant; then a bare loop sends over the same connections, and so on by turns.
///
/// Over TLS there is no bare loop: each burst follows the one before.
final class Burst: EngineWorkload, TimerHandler {
    private unowned let viewers: PollingViewers
    private let bytes: [UInt8]
    private let isBareToo: Bool
    private var repetitions: Int
    private var due = Instant.zero
    private var sends: [(viewer: Int, at: Instant)] = []

    /// Nanoseconds that connections are idle before each burst.
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
        if let times = BurstTimes(due: due, sends: sends.map(\.at), lastAnswer: doneAt) {
            viewers.report.bursts.append(times)
        }
        guard isBareToo else {
            goOn()
            return
        }
        // In a turn of its own, when the transport has put everything of this one away.
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
