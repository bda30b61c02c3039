import Audience
import EventLoop
import Rulebook
import Time
import Transport

/// Carries what viewers ask to a target in this process, on a clock that jumps.
///
/// Each request leaves when it is asked for, and each answer comes in full. Confined to the clock's run.
final class VirtualTransport: ViewerTransport {
    private struct Open {
        let request: TransferRequest
        let answer: any VirtualAnswer
        let sentAt: Instant
        var isAbandoned = false
    }

    var handler: (any TransferHandler)?
    weak var delegate: (any TransportDelegate)?
    /// Tells the number of the viewer in a seat.
    var viewer: (Int) -> Int = { $0 }
    private let clock: VirtualClock
    private let target: any VirtualTarget
    private let timebase: Timebase
    /// How long an answer is on its way, in nanoseconds.
    private let transit: Int64
    private var open: [UInt64: Open] = [:]
    private var started: UInt64 = 0
    private var owners: UInt32 = 0

    init(_ target: any VirtualTarget, clock: VirtualClock, timebase: Timebase, transit: Int64) {
        (self.target, self.clock, self.timebase, self.transit) = (target, clock, timebase, transit)
    }

    var inFlight: Int { open.count }

    func makeOwner(sourceAddressIndex: Int?) -> ConnectionOwner {
        owners += 1
        return ConnectionOwner(scope: owners)
    }

    func start(_ request: TransferRequest) {
        let token = CrowdToken(rawValue: request.token)
        guard let role = ViewerRole(rawValue: token.detail) else { return }
        let now = clock.now
        let asked = VirtualRequest(
            role: role,
            request: request.request,
            viewer: viewer(token.index),
            seat: token.index
        )
        let answer = target.answer(asked, at: timebase.wall(at: now))
        started += 1
        open[started] = Open(request: request, answer: answer, sentAt: now)
        let released = max(now, timebase.instant(of: answer.releasedAt))
        clock.wake(self, at: released &+ transit, token: started)
    }

    func warm(_ request: PreparedRequest, owner: ConnectionOwner) {}

    func close(_ owner: ConnectionOwner) {
        for (number, open) in open where open.request.owner === owner {
            self.open[number]?.isAbandoned = true
            clock.wake(self, at: clock.now, token: number)
        }
    }

    func shutDown(_ done: @escaping () -> Void) {
        handler = nil
        done()
    }
}

extension VirtualTransport: TimerHandler {
    func timerFired(token: UInt64, deadline: Instant) {
        guard let ended = open.removeValue(forKey: token) else { return }
        guard !ended.isAbandoned else { return tell(ended, .abandoned, UnsafeRawBufferPointer(start: nil, count: 0)) }
        ended.answer.readBody { tell(ended, nil, $0) }
    }

    private func tell(_ ended: Open, _ failure: TransportFailure?, _ body: UnsafeRawBufferPointer) {
        let isAnswered = failure == nil
        handler?.transferFinished(
            token: ended.request.token,
            TransferResult(
                failure: failure,
                status: isAnswered ? ended.answer.status : 0,
                body: body,
                plannedAt: ended.request.plannedAt,
                sentAt: ended.sentAt,
                firstByteAt: isAnswered ? clock.now : .zero,
                receivedAt: isAnswered ? clock.now : .zero,
                doneAt: clock.now,
                redirects: ended.answer.redirects,
                headers: isAnswered ? ended.answer.headers : [:],
                effectiveURL: ended.answer.url,
                trace: ended.request.request.trace
            )
        )
    }
}
