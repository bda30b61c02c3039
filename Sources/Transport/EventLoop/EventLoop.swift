import CLinux
import Dispatch
import Glibc
import Synchronization
package import Values

/// Called after all events of a turn were delivered, to handle them together.
package protocol TurnHandler: AnyObject {
    /// Called on the loop at the end of each round; true asks for another round at once.
    func turnEnded() -> Bool
}

/// One serial queue, whose thread waits in an epoll whenever no work is handed over.
///
/// Objects of a loop are called on its queue only and need no locks. A `DispatchSource` per socket would cost twice as much and
/// loses events on this toolchain.
///
/// `@unchecked Sendable`: methods check that they run on `queue`, except `execute` and `shutDown`, which hop onto it. Fields
/// marked `@exclusivity(unchecked)` are never accessed across a call of a handler.
package final class EventLoop: @unchecked Sendable {
    package let label: String

    private let queue: DispatchQueue
    let epoll: Int32
    let timer: Int32
    /// Ends a wait when work is handed over; closed last, because any holder of the loop may write to it.
    private let wake: Int32
    let events: UnsafeMutableBufferPointer<epoll_event>
    /// Nanoseconds before a timer's deadline at which sleeping ends.
    let spin: Int64
    /// Twice the count of work handed over and not begun, plus one while the loop waits for its epoll.
    let mail = Atomic<Int>(0)

    /// Events read and not delivered, because the round's time was up.
    @exclusivity(unchecked) var undelivered = 0..<0
    @exclusivity(unchecked) var watches: ContiguousArray<Watch> = []
    @exclusivity(unchecked) var timers = TimerQueue()
    /// In nanoseconds.
    @exclusivity(unchecked) var longestTimerDelay: Int64 = 0
    @exclusivity(unchecked) var isRunning = true
    @exclusivity(unchecked) var turnHandlers: ContiguousArray<any TurnHandler> = []
    @exclusivity(unchecked) var armedDeadline = Instant.distantFuture
    /// False once the kernel has reported that it has no epoll_pwait2.
    @exclusivity(unchecked) var hasPreciseWait = true
    @exclusivity(unchecked) var timersSeenAt = Instant.zero
    /// While the loop is late: descriptors to deliver before its timers fire.
    @exclusivity(unchecked) var descriptorsToCatchUp: Int?
    /// Nanoseconds; a timer overdue for longer is a stall.
    @exclusivity(unchecked) package var stallLimit: Int64 = 500_000_000
    @exclusivity(unchecked) package internal(set) var lastStall: LoopStall?
    /// CLOCK_REALTIME less CLOCK_MONOTONIC, and when both were read.
    @exclusivity(unchecked) var wallOffset = (nanoseconds: Int64(0), readAt: Instant.distantPast)
    private var waitingForEnd: [@Sendable () -> Void] = []
    private var isClosed = false

    /// The last `spin` before a deadline is spent reading the clock, which costs a core's time and saves the wake-up's.
    package init(label: String, spin: Duration = .zero) throws(EventLoopError) {
        (epoll, timer, wake) = try Self.makeDescriptors()
        self.label = label
        // A day cannot overflow when added to an instant.
        self.spin = min(max(spin, .zero), .seconds(86_400)).nanosecondsHeld
        self.events = .allocate(capacity: 512)
        self.events.initialize(repeating: epoll_event())
        self.queue = DispatchQueue(label: label, qos: .userInteractive)
        queueTurn()
    }

    deinit {
        close(wake)
        events.deallocate()
    }

    /// Runs `work` on the loop, from any thread, in the order of calls.
    ///
    /// It waits for the present round: the timers due at its beginning, up to 512 ready descriptors or 20 ms of them, the turn
    /// handlers once.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        // Announced before it is queued: a loop that sees it queues its next turn, behind the work or once more after it.
        let before = mail.add(2, ordering: .acquiringAndReleasing).oldValue
        queue.async { [self] in
            mail.subtract(2, ordering: .acquiringAndReleasing)
            onLoop {
                // Checked before the work, whose timers in the past are not a stall.
                isLate(at: MonotonicClock.now())
                work()
            }
        }
        if before & 1 != 0 { podswarm_event_notify(wake) }
    }

    func queueTurn() { queue.async { [self] in onLoop { runTurn() } } }

    private func onLoop(_ body: () -> Void) {
        podswarm_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
        body()
        podswarm_set_current_loop(nil)
    }

    /// Stops the process off the loop; costs a few nanoseconds.
    @inline(__always)
    package func assertOnLoop() {
        if podswarm_current_loop() != UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) {
            dispatchPrecondition(condition: .onQueue(queue))
        }
    }

    /// Ends timers and closes descriptors, then calls `done` on the queue.
    ///
    /// From any thread; each call's `done` is called.
    package func shutDown(_ done: @escaping @Sendable () -> Void) {
        execute { [self] in
            guard !isClosed else { return done() }
            waitingForEnd.append(done)
            isRunning = false
        }
    }

    package func takeLongestTimerDelay() -> Int64 {
        assertOnLoop()
        defer { longestTimerDelay = 0 }
        return longestTimerDelay
    }

    func finishClosing() {
        isClosed = true
        close(timer)
        close(epoll)
        timers.removeAll()
        watches.removeAll()
        turnHandlers.removeAll()
        let waiting = waitingForEnd
        waitingForEnd = []
        for done in waiting { done() }
    }

    // MARK: Timers and turn handlers

    /// A past deadline fires at once; after `shutDown` the result is `TimerID.none`.
    @discardableResult
    package func schedule(at deadline: Instant, token: UInt64, handler: any TimerHandler) -> TimerID {
        assertOnLoop()
        guard isRunning else { return .none }
        return timers.schedule(at: deadline, token: token, handler: handler)
    }

    /// False if it has fired, was cancelled, or never existed.
    @discardableResult
    package func cancel(_ id: TimerID) -> Bool {
        assertOnLoop()
        return timers.cancel(id)
    }

    /// The loop keeps the handler alive until its removal or `shutDown`.
    package func addTurnHandler(_ handler: any TurnHandler) {
        assertOnLoop()
        turnHandlers.append(handler)
    }

    package func removeTurnHandler(_ handler: any TurnHandler) {
        assertOnLoop()
        turnHandlers.removeAll { $0 === handler }
    }
}

package enum EventLoopError: Error, Equatable, CustomStringConvertible {
    case system(call: String, errno: Int32)
    case shutDown

    package var description: String {
        switch self {
        case .system(let call, let number): "\(call) failed: \(String(cString: strerror(number)))"
        case .shutDown: "the event loop is shut down"
        }
    }
}

// Kernel stamps are of the wall clock; all other times are monotonic.

extension EventLoop {
    /// Lifetime of a reading of both clocks, in nanoseconds: later, a step of the wall clock is seen.
    private static let offsetLife: UInt64 = 10_000_000

    /// Converts nanoseconds of CLOCK_REALTIME to CLOCK_MONOTONIC; zero for no stamp (0), and for one outside of `earliest` to
    /// `now`, as after a step of the wall clock.
    package func instant(ofStamp stamp: Int64, from earliest: Instant, to now: Instant) -> Instant {
        guard stamp != 0 else { return .zero }
        // Unsigned, so that a reading from the future is renewed too.
        if UInt64(bitPattern: now &- wallOffset.readAt) > Self.offsetLife {
            wallOffset = (ClockReading.wallOffset(), now)
        }
        let instant = Instant(nanoseconds: stamp &- wallOffset.nanoseconds)
        let tolerance = ClockReading.closeEnough
        guard instant >= earliest.earlier(by: tolerance), instant <= now.later(by: tolerance) else { return .zero }
        return min(max(instant, earliest), now)
    }
}
