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
        timers = TimerQueue()
        watches.removeAll()
        turnHandlers.removeAll()
        let waiting = waitingForEnd
        waitingForEnd = []
        for done in waiting { done() }
    }

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

    // A turn is the loop at work on its queue. Each round fires due timers, delivers ready descriptors and calls the turn
    // handlers; a late loop delivers first. Between rounds it waits in its epoll: a wait through Dispatch costs two hops
    // between threads a wake-up, so a turn ends for work that was handed over only.

    /// A timer this near, in nanoseconds, is waited for without the timerfd.
    private static let lead: Int64 = 1_000_000
    /// Nanoseconds between polls of the descriptors while spinning.
    private static let spinPoll: Int64 = 2_000

    func runTurn() {
        podswarm_minimise_timer_slack()
        var ready = takeReady()
        while isRunning {
            let began = MonotonicClock.now()
            let isLeft: Bool
            if isLate(at: began) {
                isLeft = deliver(ready, since: began)
                if hasCaughtUp(ready, isLeft: isLeft) { fireDueTimers(at: began) }
            } else {
                fireDueTimers(at: began)
                isLeft = deliver(ready, since: began)
            }
            let wantsMore = endRound() || isLeft
            if mail.load(ordering: .relaxed) > 1 { return queueTurn() }
            ready = wantsMore ? takeReady() : waitForReady(from: MonotonicClock.now())
        }
        finishClosing()
    }

    /// Whether the loop was stalled; then ready descriptors come before timers.
    @discardableResult
    func isLate(at now: Instant) -> Bool {
        guard descriptorsToCatchUp == nil else { return true }
        defer { timersSeenAt = now }
        guard let due = timers.earliest().map({ max($0, timersSeenAt) }), now &- due > stallLimit else { return false }
        // Each descriptor counts once: others become ready meanwhile, and timers must get their turn.
        descriptorsToCatchUp = watches.count
        lastStall = LoopStall(beganAt: due, endedAt: now)
        return true
    }

    /// True when timers have their turn.
    private func hasCaughtUp(_ delivered: Range<Int>, isLeft: Bool) -> Bool {
        let left = (descriptorsToCatchUp ?? 0) - delivered.count
        descriptorsToCatchUp = left
        guard !isLeft, left <= 0 || delivered.isEmpty else { return false }
        descriptorsToCatchUp = nil
        return true
    }

    /// Leaves out timers scheduled meanwhile.
    private func fireDueTimers(at now: Instant) {
        guard let first = timers.earliest(), first <= now else { return }
        timers.beginRound(at: now)
        var moment = now
        while let due = timers.popDue(at: now) {
            let delay = moment &- due.deadline
            if delay > longestTimerDelay { longestTimerDelay = delay }
            due.handler.timerFired(token: due.token, deadline: due.deadline)
            guard let next = timers.earliest(), next <= now else { break }
            moment = MonotonicClock.now()
        }
        timers.endRound()
    }

    private func endRound() -> Bool {
        var wantsMore = false
        var position = 0
        while position < turnHandlers.count {
            if turnHandlers[position].turnEnded() { wantsMore = true }
            position += 1
        }
        return wantsMore
    }

    /// Returns the indices of ready events without waiting.
    private func takeReady() -> Range<Int> {
        guard undelivered.isEmpty else {
            defer { undelivered = 0..<0 }
            return undelivered
        }
        return 0..<max(0, Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), 0)))
    }

    /// Waits for a descriptor, for the next timer or for work.
    private func waitForReady(from now: Instant) -> Range<Int> {
        let due = timers.earliest() ?? .distantFuture
        let end = due == .distantFuture ? due : max(due, .zero) &- spin
        guard now < end else { return now < due ? spinUntil(due) : takeReady() }
        guard mail.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged else {
            return 0..<0
        }
        defer { mail.subtract(1, ordering: .acquiringAndReleasing) }
        return 0..<sleep(from: now, until: end)
    }

    /// A long sleep is ended by the timerfd: alone it may end late by a thousandth of its length
    /// (`select_estimate_accuracy` in Linux).
    private func sleep(from now: Instant, until end: Instant) -> Int {
        if hasPreciseWait, end <= now &+ Self.lead {
            let ready = podswarm_epoll_wait_precisely(epoll, events.baseAddress, Int32(events.count), end &- now)
            if ready >= 0 { return Int(ready) }
            guard errno == ENOSYS else { return 0 }
            hasPreciseWait = false
        }
        if end != .distantFuture, end != armedDeadline {
            armedDeadline = end
            // Instant zero would disarm the timerfd.
            _ = podswarm_timer_arm(timer, max(1, end.nanoseconds))
        }
        return max(0, Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), -1)))
    }

    /// Ready descriptors and handed-over work end it too.
    private func spinUntil(_ due: Instant) -> Range<Int> {
        var now = MonotonicClock.now()
        var nextPoll = now &+ Self.spinPoll
        while now < due, mail.load(ordering: .relaxed) == 0 {
            if now >= nextPoll {
                let ready = takeReady()
                if !ready.isEmpty { return ready }
                nextPoll = now &+ Self.spinPoll
            }
            now = MonotonicClock.now()
        }
        return 0..<0
    }

    private static let timerUserData = UInt64.max
    private static let wakeUserData = UInt64.max - 1

    /// The epoll watches the other two, edge-triggered: neither has to be read.
    static func makeDescriptors() throws(EventLoopError) -> (epoll: Int32, timer: Int32, wake: Int32) {
        let made = [podswarm_epoll_create(), podswarm_timer_create(), podswarm_event_create()]
        let interest = podswarm_epoll_in | podswarm_epoll_edge
        let failed = made.firstIndex { $0 < 0 }
        guard failed == nil,
            podswarm_epoll_control(made[0], EPOLL_CTL_ADD, made[1], interest, timerUserData) == 0,
            podswarm_epoll_control(made[0], EPOLL_CTL_ADD, made[2], interest, wakeUserData) == 0
        else {
            let number = errno
            for descriptor in made where descriptor >= 0 { close(descriptor) }
            let call = failed.map { ["epoll_create1", "timerfd_create", "eventfd"][$0] } ?? "epoll_ctl"
            throw .system(call: call, errno: number)
        }
        return (made[0], made[1], made[2])
    }

    /// Begins to watch a descriptor, or changes what it is watched for.
    package func watch(
        _ descriptor: Int32,
        for interest: Readiness,
        _ handler: any ReadinessHandler
    ) throws(EventLoopError) {
        assertOnLoop()
        guard isRunning else { throw .shutDown }
        guard descriptor >= 0 else { throw .system(call: "epoll_ctl", errno: EBADF) }
        let index = Int(descriptor)
        var watch = index < watches.count ? watches[index] : Watch()
        let isNew = watch.handler == nil
        guard isNew || watch.interest != interest else { return }
        if isNew { watch.generation &+= 1 }
        (watch.handler, watch.interest) = (handler, interest)
        let operation = isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        let userData = UInt64(watch.generation) << 32 | UInt64(index)
        guard podswarm_epoll_control(epoll, operation, descriptor, UInt32(interest.rawValue), userData) == 0 else {
            throw .system(call: "epoll_ctl", errno: errno)
        }
        while watches.count <= index { watches.append(Watch()) }
        watches[index] = watch
    }

    /// No event of it is delivered afterwards; call this before closing the descriptor.
    package func unwatch(_ descriptor: Int32) {
        assertOnLoop()
        let index = Int(descriptor)
        guard watches.indices.contains(index), watches[index].handler != nil else { return }
        watches[index].handler = nil
        _ = podswarm_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0)
    }

    /// Delivers events, which may be older than timers fired since; true if some are left for the next round.
    func deliver(_ ready: Range<Int>, since began: Instant) -> Bool {
        guard let base = events.baseAddress else { return false }
        for position in ready {
            deliver(base + position)
            guard position & 3 == 3, position + 1 < ready.upperBound else { continue }
            if MonotonicClock.now() &- began > Self.maximumDelivery {
                undelivered = position + 1..<ready.upperBound
                return true
            }
        }
        return false
    }

    /// Nanoseconds after which timers fire, should a peer give a handler megabytes to read.
    private static let maximumDelivery: Int64 = 20_000_000

    private func deliver(_ event: UnsafePointer<epoll_event>) {
        let userData = podswarm_epoll_user_data(event)
        let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: userData))
        let index = Int(descriptor)
        guard index >= 0 else {
            // The timerfd fires once: the next wait has to arm it.
            if userData == Self.timerUserData { armedDeadline = .distantFuture }
            return
        }
        guard index < watches.count, watches[index].generation == UInt32(userData >> 32),
            let handler = watches[index].handler
        else { return }
        let bits = podswarm_epoll_events(event)
        // A handler may have changed its interest meanwhile.
        var readiness = watches[index].interest.intersection(Readiness(rawValue: UInt8(truncatingIfNeeded: bits)))
        if bits & (podswarm_epoll_error | podswarm_epoll_hangup) != 0 { readiness.insert(.failed) }
        guard !readiness.isEmpty else { return }
        handler.descriptorReady(descriptor, readiness)
    }

    // Kernel stamps are of the wall clock; all other times are monotonic.

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

struct Watch {
    /// nil for a descriptor that is not watched.
    var handler: (any ReadinessHandler)?
    /// Tells uses of the number apart, so that no stale event is delivered.
    var generation: UInt32 = 0
    var interest: Readiness = []
}

/// Bits of epoll_ctl(2).
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Data, an end of stream or a pending connection.
    package static let readable = Readiness(rawValue: 1)
    /// Room for data, or the end of a connect.
    package static let writable = Readiness(rawValue: 4)
    /// An error or a hang-up; reported unasked too.
    package static let failed = Readiness(rawValue: 8)
}

package protocol ReadinessHandler: AnyObject {
    /// Level-triggered; called on the loop.
    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness)
}

package enum DescriptorLimit {
    /// To the hard limit, for this process and its children: a shell's default would bound the number of viewers.
    ///
    /// Returns the limit that holds then.
    @discardableResult
    package static func raise() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        return Int(clamping: setrlimit(resource, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur)
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
