package import Profile
package import Values

/// Attempts at one resource of a break: a pod manifest, list, asset, playlist or segment.
///
/// The persona's rule for the kind of request gives timeout, retries and pauses.
package struct LoadAttempts: Sendable {
    package enum State: Sendable {
        case idle
        case underWay(deadline: Instant)
        case pausing(until: Instant)
    }

    package private(set) var made: UInt8 = 0
    package private(set) var state = State.idle

    package init() {}

    package mutating func begin(_ rule: RequestRule, now: Instant) {
        made &+= 1
        state = .underWay(deadline: rule.total.map { now.later(by: $0) } ?? .distantFuture)
    }

    package mutating func end(now: Instant) -> Arrived {
        guard case .underWay(let deadline) = state else { return .unawaited }
        state = .idle
        return now <= deadline ? .inTime : .late
    }

    package enum Arrived {
        case inTime
        case late
        case unawaited
    }

    /// Plans the next attempt after a failure; false if the player makes none.
    package mutating func again(
        after failure: BreakLoadFailure,
        _ rule: RequestRule,
        now: Instant,
        chance: inout ViewerChance
    ) -> Bool {
        state = .idle
        guard let cause = failure.cause, let wait = rule.wait(after: cause, failures: made, chance: &chance) else {
            return false
        }
        state = .pausing(until: now.later(by: wait))
        return true
    }

    package var isRepeated: Bool { made > 1 }

    package var isUnderWay: Bool {
        if case .underWay = state { true } else { false }
    }

    package func isOverdue(now: Instant) -> Bool {
        if case .underWay(let deadline) = state { deadline <= now } else { false }
    }

    package func isDueAgain(now: Instant) -> Bool {
        if case .pausing(let instant) = state { instant <= now } else { false }
    }

    package var nextInstant: Instant {
        switch state {
        case .idle: .distantFuture
        case .underWay(let deadline): deadline
        case .pausing(let instant): instant
        }
    }
}
