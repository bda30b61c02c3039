import CLinux
import Dispatch
import Glibc
import Synchronization
import Values

// A turn is the loop at work on its queue. Each round fires due timers, delivers ready descriptors and calls the turn handlers;
// a late loop delivers first. Between rounds it waits in its epoll: a wait through Dispatch costs two hops between threads a
// wake-up, so a turn goes back to it only when nothing happens.

extension EventLoop {
    /// Idle nanoseconds after which a turn goes back to Dispatch.
    private static let linger: Int64 = 10_000_000
    /// A timer this near, in nanoseconds, keeps an idle turn waiting.
    private static let lead: Int64 = 1_000_000
    /// Nanoseconds after which other items of the queue run.
    private static let maximumTurn: Int64 = 100_000_000
    /// Nanoseconds between polls of the descriptors while spinning.
    private static let spinPoll: Int64 = 2_000

    /// `began` is when the loop became busy, before the turn.
    func runTurn(since began: Instant) {
        podswarm_minimise_timer_slack()
        guard isRunning else { return }
        var lastActivity = began
        var ready = takeReady()
        var now = MonotonicClock.now()
        while true {
            var fired = false
            let isLeft: Bool
            if isLate(at: now) {
                isLeft = deliver(ready, since: now)
                if hasCaughtUp(ready, isLeft: isLeft) { fired = fireDueTimers(at: now) }
            } else {
                fired = fireDueTimers(at: now)
                isLeft = deliver(ready, since: now)
            }
            let wantsMore = endRound() || isLeft
            now = MonotonicClock.now()
            if wantsMore || fired || !ready.isEmpty { lastActivity = now }
            if mail.load(ordering: .relaxed) > 1 { break }
            if now &- began > Self.maximumTurn { return continueLater() }
            if wantsMore {
                ready = takeReady()
                now = MonotonicClock.now()
            } else {
                let end = min(lastActivity &+ Self.linger, began &+ Self.maximumTurn &+ 1)
                guard let taken = waitForReady(from: now, until: end) else { break }
                ready = taken
                now = MonotonicClock.now()
            }
        }
        armForDispatch()
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

    private func continueLater() {
        guard !isContinuationQueued else { return armForDispatch() }
        isContinuationQueued = true
        queue.async { [self] in
            onLoop {
                isContinuationQueued = false
                runTurn(since: MonotonicClock.now())
            }
        }
    }

    /// Leaves out timers scheduled meanwhile; true if one fired.
    private func fireDueTimers(at now: Instant) -> Bool {
        guard let first = timers.earliest(), first <= now else { return false }
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
        return true
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

    // MARK: Waiting

    /// Returns the indices of ready events without waiting.
    private func takeReady() -> Range<Int> {
        guard undelivered.isEmpty else {
            defer { undelivered = 0..<0 }
            return undelivered
        }
        return 0..<max(0, Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), 0)))
    }

    /// nil when `end` has come and no timer is near: Dispatch then waits more cheaply.
    private func waitForReady(from now: Instant, until end: Instant) -> Range<Int>? {
        let due = timers.earliest() ?? .distantFuture
        let isNear = due <= now &+ Self.lead &+ spin
        guard isNear || now < end else { return nil }
        let sleepEnd = due == .distantFuture ? due : max(due, .zero) &- spin
        var ready = 0
        if now < sleepEnd {
            guard mail.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged else {
                return 0..<0
            }
            ready = isNear ? sleep(from: now, until: sleepEnd) : sleep(from: now, until: end, orTimerAt: sleepEnd)
            mail.subtract(1, ordering: .acquiringAndReleasing)
        } else if now >= due {
            return takeReady()
        }
        return ready == 0 && spin > 0 && isNear ? spinUntil(due) : 0..<ready
    }

    /// The timerfd ends it: a sleep alone may end late by a thousandth of its length (`select_estimate_accuracy` in Linux).
    private func sleep(from now: Instant, until end: Instant, orTimerAt timerEnd: Instant) -> Int {
        if timerEnd < end { arm(timerEnd) }
        return sleep(from: now, until: end)
    }

    private func sleep(from now: Instant, until end: Instant) -> Int {
        if hasPreciseWait {
            let ready = podswarm_epoll_wait_precisely(epoll, events.baseAddress, Int32(events.count), end &- now)
            if ready >= 0 { return Int(ready) }
            guard errno == ENOSYS else { return 0 }
            hasPreciseWait = false
        }
        if end < armedDeadline { arm(end) }
        let milliseconds = (end &- now) / 1_000_000 + 1
        return max(0, Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), Int32(clamping: milliseconds))))
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

    private func arm(_ deadline: Instant) {
        guard deadline != armedDeadline else { return }
        armedDeadline = deadline
        // Instant zero would disarm the timerfd.
        _ = podswarm_timer_arm(timer, max(1, deadline.nanoseconds))
    }

    /// Armed a little early, because Dispatch's two hops take time.
    private func armForDispatch() {
        guard let due = timers.earliest() else { return }
        arm(max(.zero, due) &- Self.lead &- spin)
    }
}
