import CLinux
import Dispatch
import Glibc

/// Gathers what a turn of the loop has collected, after all its events were delivered.
package protocol TurnHandler: AnyObject {
    /// Called on the loop at the end of each turn; true asks for another turn at once.
    func turnEnded() -> Bool
}

/// One serial queue that owns one epoll and one timerfd behind a single `DispatchSource`.
///
/// Everything that lives on a loop is called on its queue only and needs no locks.
/// A source per socket would cost twice as much and loses events on this toolchain, hence the nested epoll.
///
/// `@unchecked Sendable`: the mutable state is touched on `queue` only, which each method checks;
/// the methods that may be called from anywhere (`execute`, `shutDown`) do nothing but hop onto it.
package final class EventLoop: @unchecked Sendable {
    package let label: String
    /// Position of this loop among the loops of the process.
    package let index: Int

    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    private let epoll: Int32
    private let timer: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private var watches: ContiguousArray<Watch> = []
    private var timers = TimerQueue()
    /// The instant the timerfd is armed for; `Int64.max` when it is not.
    private var armedDeadline = Int64.max
    private var turnHandlers: [any TurnHandler] = []
    private var statistics = LoopStatistics()
    private var state = State.running

    private enum State {
        case running
        /// The source is cancelled; the descriptors close in its cancel handler.
        case closing([@Sendable () -> Void])
        case closed
    }

    private struct Watch {
        var handler: (any ReadinessHandler)?
        var generation: UInt32 = 0
        var interest: Readiness = []
    }

    /// Rounds of one turn before other work on the queue gets its chance.
    private static let maximumRounds = 256
    /// Working time of one turn before other work on the queue gets its chance, in nanoseconds.
    private static let maximumTurn: Int64 = 10_000_000
    /// User data of the timerfd; no descriptor has all bits set.
    private static let timerUserData = UInt64.max

    /// Starts a loop that runs until `shutDown`.
    package init(label: String, index: Int) throws(EventLoopError) {
        podswarm_minimise_timer_slack()
        let epoll = podswarm_epoll_create()
        guard epoll >= 0 else { throw .system(call: "epoll_create1", errno: errno) }
        let timer = podswarm_timer_create()
        guard timer >= 0 else {
            let number = errno
            close(epoll)
            throw .system(call: "timerfd_create", errno: number)
        }
        guard podswarm_epoll_control(epoll, EPOLL_CTL_ADD, timer, podswarm_epoll_in, Self.timerUserData) == 0 else {
            let number = errno
            close(timer)
            close(epoll)
            throw .system(call: "epoll_ctl", errno: number)
        }
        self.label = label
        self.index = index
        self.epoll = epoll
        self.timer = timer
        self.events = .allocate(capacity: 512)
        self.events.initialize(repeating: epoll_event())
        self.queue = DispatchQueue(label: label, qos: .userInteractive)
        self.source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        source.setEventHandler { @Sendable [self] in
            statistics.wakeUps += 1
            runTurn()
        }
        source.setCancelHandler { @Sendable [self] in finishClosing() }
        source.activate()
    }

    deinit {
        events.deallocate()
    }

    /// Runs `work` on the loop, from any thread, after what was handed over before.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            let began = MonotonicClock.now()
            work()
            statistics.busy &+= MonotonicClock.now() &- began
            runTurn()
        }
    }

    /// Stops the process with a message when the caller is not on this loop; costs a few nanoseconds.
    @inline(__always)
    package func assertOnLoop() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Stops the loop: nothing fires any more and its descriptors are closed, then `done` is called on its queue.
    ///
    /// May be called from any thread and more than once; every `done` is called.
    package func shutDown(_ done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            switch state {
            case .running:
                state = .closing([done])
                source.cancel()
            case .closing(let waiting):
                state = .closing(waiting + [done])
            case .closed:
                done()
            }
        }
    }

    /// Returns what happened since the last call and begins anew.
    package func takeStatistics() -> LoopStatistics {
        assertOnLoop()
        defer { statistics = LoopStatistics() }
        return statistics
    }

    private var isRunning: Bool {
        if case .running = state { true } else { false }
    }

    private func finishClosing() {
        guard case .closing(let waiting) = state else { return }
        state = .closed
        close(timer)
        close(epoll)
        timers.removeAll()
        watches.removeAll()
        turnHandlers.removeAll()
        for done in waiting { done() }
    }
}

// MARK: - Descriptors

extension EventLoop {
    /// Watches a descriptor until it is deregistered; a descriptor has one registration at a time.
    package func register(
        descriptor: Int32,
        interest: Readiness,
        handler: any ReadinessHandler
    ) throws(EventLoopError) -> Registration {
        assertOnLoop()
        guard isRunning else { throw .shutDown }
        guard descriptor >= 0 else { throw .system(call: "epoll_ctl", errno: EBADF) }
        let index = Int(descriptor)
        let generation = index < watches.count ? watches[index].generation &+ 1 : 1
        let registration = Registration(descriptor: descriptor, generation: generation)
        let bits = Self.bits(interest)
        if podswarm_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, bits, registration.userData) != 0 {
            guard errno == EEXIST,
                podswarm_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, bits, registration.userData) == 0
            else { throw .system(call: "epoll_ctl", errno: errno) }
        }
        while watches.count <= index { watches.append(Watch()) }
        watches[index] = Watch(handler: handler, generation: registration.generation, interest: interest)
        return registration
    }

    /// Changes what a registered descriptor is watched for; does nothing for a stale registration.
    package func update(_ registration: Registration, interest: Readiness) throws(EventLoopError) {
        assertOnLoop()
        guard isCurrent(registration) else { return }
        let index = Int(registration.descriptor)
        guard watches[index].interest != interest else { return }
        let bits = Self.bits(interest)
        guard
            podswarm_epoll_control(epoll, EPOLL_CTL_MOD, registration.descriptor, bits, registration.userData) == 0
        else { throw .system(call: "epoll_ctl", errno: errno) }
        watches[index].interest = interest
    }

    /// Ends a registration: no event of it is delivered after this call; call it before the descriptor is closed.
    package func deregister(_ registration: Registration) {
        assertOnLoop()
        guard isCurrent(registration) else { return }
        let index = Int(registration.descriptor)
        watches[index].handler = nil
        watches[index].interest = []
        // Fails only where the kernel has already forgotten the descriptor, which is what is wanted.
        _ = podswarm_epoll_control(epoll, EPOLL_CTL_DEL, registration.descriptor, 0, 0)
    }

    private func isCurrent(_ registration: Registration) -> Bool {
        let index = Int(registration.descriptor)
        return index < watches.count && watches[index].generation == registration.generation
            && watches[index].handler != nil
    }

    private static func bits(_ interest: Readiness) -> UInt32 {
        (interest.contains(.readable) ? podswarm_epoll_in : 0)
            | (interest.contains(.writable) ? podswarm_epoll_out : 0)
    }
}

// MARK: - Timers

extension EventLoop {
    /// Fires once at `deadline` (`MonotonicClock` nanoseconds) or as soon after as the loop can; the past is at once.
    ///
    /// Returns `TimerID.none`, and never fires, after `shutDown`.
    @discardableResult
    package func schedule(at deadline: Int64, token: UInt64, handler: any TimerHandler) -> TimerID {
        assertOnLoop()
        guard isRunning else { return .none }
        let id = timers.schedule(at: deadline, token: token, handler: handler)
        if deadline < armedDeadline { arm(deadline) }
        return id
    }

    /// Cancels a timer; false if it has fired, was cancelled, or never existed.
    @discardableResult
    package func cancel(_ id: TimerID) -> Bool {
        assertOnLoop()
        return timers.cancel(id)
    }

    /// Timers that will still fire.
    package var pendingTimers: Int {
        assertOnLoop()
        return timers.count
    }

    private func arm(_ deadline: Int64) {
        armedDeadline = deadline
        // Instant zero would disarm the timerfd.
        _ = podswarm_timer_arm(timer, deadline == .max ? 0 : max(1, deadline))
    }

    private func fireDueTimers() {
        guard timers.count > 0 else { return }
        var now = MonotonicClock.now()
        let began = now
        while let due = timers.popDue(at: now) {
            let delay = now &- due.deadline
            statistics.timersFired += 1
            statistics.totalTimerDelay &+= delay
            statistics.maximumTimerDelay = max(statistics.maximumTimerDelay, delay)
            due.handler.timerFired(token: due.token, deadline: due.deadline)
            now = MonotonicClock.now()
            if now &- began > Self.maximumTurn { break }
        }
        let earliest = timers.earliest() ?? .max
        if armedDeadline <= now || earliest < armedDeadline { arm(earliest) }
    }
}

// MARK: - Turns

extension EventLoop {
    /// Adds a handler that is called at the end of each turn, until it is removed or the loop shuts down.
    package func addTurnHandler(_ handler: any TurnHandler) {
        assertOnLoop()
        turnHandlers.append(handler)
    }

    /// Removes a handler; unknown ones are ignored.
    package func removeTurnHandler(_ handler: any TurnHandler) {
        assertOnLoop()
        turnHandlers.removeAll { $0 === handler }
    }

    /// Delivers what is ready and due until nothing is, within bounds, so that other work on the queue is not starved.
    private func runTurn() {
        podswarm_minimise_timer_slack()
        guard isRunning else { return }
        let began = MonotonicClock.now()
        var wantsMore = true
        for _ in 0..<Self.maximumRounds where wantsMore && isRunning {
            let delivered = deliverReadyDescriptors()
            fireDueTimers()
            let asked = endTurn()
            wantsMore = delivered || asked
            if MonotonicClock.now() &- began > Self.maximumTurn { break }
        }
        statistics.busy &+= MonotonicClock.now() &- began
        // What is still readable wakes the source again; what a turn handler wants has no descriptor of its own.
        if wantsMore, isRunning {
            queue.async { [self] in runTurn() }
        }
    }

    private func endTurn() -> Bool {
        var wantsMore = false
        var position = 0
        while position < turnHandlers.count {
            if turnHandlers[position].turnEnded() { wantsMore = true }
            position += 1
        }
        return wantsMore
    }

    private func deliverReadyDescriptors() -> Bool {
        guard isRunning, let base = events.baseAddress else { return false }
        let ready = epoll_wait(epoll, base, Int32(events.count), 0)
        guard ready > 0 else { return false }
        for position in 0..<Int(ready) where isRunning {
            deliver(base + position)
        }
        return true
    }

    private func deliver(_ event: UnsafePointer<epoll_event>) {
        let userData = podswarm_epoll_user_data(event)
        guard userData != Self.timerUserData else {
            var expirations: UInt64 = 0
            _ = read(timer, &expirations, MemoryLayout<UInt64>.size)
            // It fires once: whoever schedules next has to arm it, also when every timer was cancelled meanwhile.
            if expirations > 0 { armedDeadline = .max }
            return
        }
        let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: userData))
        let index = Int(descriptor)
        guard index >= 0, index < watches.count, watches[index].generation == UInt32(userData >> 32),
            let handler = watches[index].handler
        else { return }
        let bits = podswarm_epoll_events(event)
        var readiness: Readiness = []
        if bits & podswarm_epoll_in != 0 { readiness.insert(.readable) }
        if bits & podswarm_epoll_out != 0 { readiness.insert(.writable) }
        if bits & (podswarm_epoll_error | podswarm_epoll_hangup) != 0 { readiness.insert(.failed) }
        handler.descriptorReady(descriptor, readiness)
    }
}
