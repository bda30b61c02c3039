import CLinux
import Dispatch
import Glibc
import Synchronization
package import Values

/// Called after all events of a turn were delivered, to handle them together.
package protocol TurnHandler: AnyObject {
    /// Called on the loop at the end of each round of a turn; true asks for another round at once.
    func turnEnded() -> Bool
}

/// One serial queue that owns one epoll behind a single `DispatchSource`.
///
/// All objects of a loop are called on its queue only and need no locks. A source per socket would cost twice as much and loses
/// events on this toolchain, hence the nested epoll. While there is work, the loop waits in its epoll itself and not in
/// Dispatch (see `Turn.swift`).
///
/// `@unchecked Sendable`: the mutable state is touched on `queue` only, which each method checks; the methods that may be
/// called from anywhere (`execute`, `shutDown`) only hop onto it. The fields marked `@exclusivity(unchecked)` are read and
/// written between calls of handlers, never across one.
package final class EventLoop: @unchecked Sendable {
    package let label: String
    package let index: Int

    let queue: DispatchQueue
    private let source: any DispatchSourceRead
    let epoll: Int32
    let timer: Int32
    /// Ends a wait when work is handed over; closed last, because any thread that holds the loop may write to it.
    private let wake: Int32
    let events: UnsafeMutableBufferPointer<epoll_event>
    /// Time before a timer's deadline at which the loop stops sleeping, in nanoseconds.
    let spin: Int64
    /// Twice the count of work handed over and not begun, plus one while the loop waits for its epoll.
    let mail = Atomic<Int>(0)

    /// Indices of events that were read and not delivered, because the round's time was up.
    @exclusivity(unchecked) var undelivered = 0..<0
    @exclusivity(unchecked) var watches: ContiguousArray<Watch> = []
    @exclusivity(unchecked) var timers = TimerQueue()
    @exclusivity(unchecked) var statistics = LoopStatistics()
    @exclusivity(unchecked) var isRunning = true
    @exclusivity(unchecked) var turnHandlers: ContiguousArray<any TurnHandler> = []
    /// The instant the timerfd is armed for; the distant future when it is not.
    @exclusivity(unchecked) var armedDeadline = Instant.distantFuture
    /// Whether a turn that ran out of time waits in the queue for its continuation.
    @exclusivity(unchecked) var isContinuationQueued = false
    /// False once the kernel has reported that it has no epoll_pwait2.
    @exclusivity(unchecked) var hasPreciseWait = true
    @exclusivity(unchecked) var timersSeenAt = Instant.zero
    /// While the loop is late: descriptors still to be delivered before its timers fire.
    @exclusivity(unchecked) var descriptorsToCatchUp: Int?
    /// Nanoseconds; a timer overdue for longer is a stall of the loop.
    @exclusivity(unchecked) package var stallLimit: Int64 = 500_000_000
    @exclusivity(unchecked) package internal(set) var lastStall: LoopStall?
    /// CLOCK_REALTIME less CLOCK_MONOTONIC, and when both were read.
    @exclusivity(unchecked) var wallOffset = (nanoseconds: Int64(0), readAt: Instant.distantPast)
    private var waitingForEnd: [@Sendable () -> Void] = []
    private var isClosed = false

    /// Starts a loop that runs until `shutDown`.
    ///
    /// The last `spin` before a timer's deadline is spent reading the clock instead of sleeping: it takes a core's time and
    /// saves the wake-up's. Descriptors and handed-over work are still served meanwhile.
    package init(label: String, index: Int, spin: Duration = .zero) throws(EventLoopError) {
        podswarm_minimise_timer_slack()
        let descriptors = try LoopDescriptors()
        self.label = label
        self.index = index
        // The limit of a day cannot overflow when it is added to an instant.
        self.spin = min(max(spin, .zero), .seconds(86_400)).nanosecondsHeld
        self.epoll = descriptors.epoll
        self.timer = descriptors.timer
        self.wake = descriptors.wake
        self.events = .allocate(capacity: 512)
        self.events.initialize(repeating: epoll_event())
        self.queue = DispatchQueue(label: label, qos: .userInteractive)
        self.source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        source.setEventHandler { @Sendable [self] in
            onLoop { runTurn(since: MonotonicClock.now()) }
        }
        source.setCancelHandler { @Sendable [self] in onLoop { finishClosing() } }
        source.activate()
    }

    deinit {
        close(wake)
        events.deallocate()
    }

    /// Runs `work` on the loop, from any thread, in the order of calls.
    ///
    /// It waits for the present round of a turn: every timer due at its beginning, up to 512 ready descriptors or 20 ms of
    /// them, the turn handlers once. A loop that waits or spins stops at once.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        handOver { [self] in
            let began = MonotonicClock.now()
            // Checked before the work, which may schedule timers in the past: they are no sign of a stall.
            isLate(at: began)
            work()
            runTurn(since: began)
        }
    }

    private func handOver(_ item: @escaping @Sendable () -> Void) {
        // Announced before it is queued: a loop that sees the announcement goes back to Dispatch with its timer armed, where it
        // is safe whether or not the item has arrived yet.
        let before = mail.add(2, ordering: .acquiringAndReleasing).oldValue
        queue.async { [self] in
            mail.subtract(2, ordering: .acquiringAndReleasing)
            onLoop(item)
        }
        if before & 1 != 0 { podswarm_event_notify(wake) }
    }

    /// Marks the thread as this loop's while `body` runs.
    func onLoop(_ body: () -> Void) {
        podswarm_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
        body()
        podswarm_set_current_loop(nil)
    }

    /// Stops the process with a message when the caller is not on this loop; costs a few nanoseconds.
    @inline(__always)
    package func assertOnLoop() {
        if podswarm_current_loop() != UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) {
            dispatchPrecondition(condition: .onQueue(queue))
        }
    }

    /// Stops the loop: no timer fires any more and its descriptors are closed, then `done` is called on its queue.
    ///
    /// May be called from any thread and more than once; every `done` is called.
    package func shutDown(_ done: @escaping @Sendable () -> Void) {
        handOver { [self] in
            guard !isClosed else {
                done()
                return
            }
            waitingForEnd.append(done)
            isRunning = false
            source.cancel()
        }
    }

    package func takeStatistics() -> LoopStatistics {
        assertOnLoop()
        defer { statistics = LoopStatistics() }
        return statistics
    }

    private func finishClosing() {
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
}

// MARK: - Timers

extension EventLoop {
    /// Fires once at `deadline` or as soon after as possible; a past deadline fires at once.
    ///
    /// Returns `TimerID.none`, and never fires, after `shutDown`.
    @discardableResult
    package func schedule(at deadline: Instant, token: UInt64, handler: any TimerHandler) -> TimerID {
        assertOnLoop()
        guard isRunning else { return .none }
        // The caller is in a turn, or in work that ends with one: the timerfd is armed at the end of it.
        return timers.schedule(at: deadline, token: token, handler: handler)
    }

    /// Cancels a timer; false if it has fired, was cancelled, or never existed.
    @discardableResult
    package func cancel(_ id: TimerID) -> Bool {
        assertOnLoop()
        return timers.cancel(id)
    }

    package var pendingTimers: Int {
        assertOnLoop()
        return timers.count
    }
}

// MARK: - Turn handlers

extension EventLoop {
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
    /// Lifetime of a reading of both clocks, in nanoseconds: a step of the wall clock is seen after that.
    private static let offsetLife: UInt64 = 10_000_000

    /// Converts a kernel stamp of CLOCK_REALTIME, in nanoseconds, to CLOCK_MONOTONIC.
    ///
    /// Zero for no stamp (0), and for one outside of `earliest` to `now`, as after a step of the wall clock.
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
