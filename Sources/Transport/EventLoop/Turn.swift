import CLinux
import Glibc
import Synchronization
import Values

// A turn is the loop at work on its queue. Each round fires due timers, delivers ready descriptors and calls the turn handlers;
// a late loop delivers first. Between rounds it waits in its epoll: a wait through Dispatch costs two hops between threads a
// wake-up, so a turn ends for work that was handed over only.

extension EventLoop {
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

    // MARK: Waiting

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
}
