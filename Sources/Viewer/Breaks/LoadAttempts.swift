import LoadProfile
package import Rulebook
import Time

/// The attempts at one thing that a break needs, whatever it is: a pod manifest, a list, an asset, a playlist, a segment.
///
/// The persona's rule for the kind of request says how long the player waits, how often it asks again and after which pause.
struct LoadAttempts: Sendable {
    enum State: Sendable {
        case idle
        /// The player gives up on the request at this moment, monotonic nanoseconds; `.max`: never.
        case underWay(deadline: Int64)
        /// The next request is due at this moment, monotonic nanoseconds.
        case pausing(until: Int64)
    }

    /// Requests made.
    private(set) var made: UInt8 = 0
    private(set) var state = State.idle

    mutating func begin(_ rule: RequestRule, now: Int64) {
        made &+= 1
        state = .underWay(deadline: rule.total.map { now.later(by: $0.nanosecondsHeld) } ?? .max)
    }

    /// An answer came: whether it was awaited, and if so, whether it came in time.
    mutating func end(now: Int64) -> Arrived {
        guard case .underWay(let deadline) = state else { return .unawaited }
        state = .idle
        return now <= deadline ? .inTime : .late
    }

    enum Arrived {
        case inTime
        case late
        case unawaited
    }

    /// Plans the next attempt after a failure; false where the player makes none.
    mutating func again(after failure: BreakLoadFailure, _ rule: RequestRule, turn: inout Turn) -> Bool {
        state = .idle
        guard failure.cause != .unusable, failure.cause != .clientError || rule.retriesClientErrors else {
            return false
        }
        let retries = failure.cause == .timeout ? rule.afterTimeout : rule.afterError
        let chance = retries.fuzz > 0 ? turn.chance.unit() : 0.5
        guard let wait = retries.wait(before: Int(made), chance: chance) else { return false }
        state = .pausing(until: turn.now.later(by: wait.nanosecondsHeld))
        return true
    }

    var isUnderWay: Bool {
        if case .underWay = state { true } else { false }
    }

    func isOverdue(now: Int64) -> Bool {
        if case .underWay(let deadline) = state { deadline <= now } else { false }
    }

    func isDueAgain(now: Int64) -> Bool {
        if case .pausing(let instant) = state { instant <= now } else { false }
    }

    /// When anything follows by itself, monotonic nanoseconds; `.max`: never.
    var nextInstant: Int64 {
        switch state {
        case .idle: .max
        case .underWay(let deadline): deadline
        case .pausing(let instant): instant
        }
    }
}

/// Why a request of a break brought nothing that can be used.
package struct BreakLoadFailure: Sendable, Equatable {
    package enum Cause: Sendable {
        case error
        /// An answer of 400 to 499.
        case clientError
        /// No answer within the request's deadlines.
        case timeout
        /// Asking again would bring the same: an answer that cannot be used, or a host that may not be asked.
        case unusable
    }

    /// What the break fails with where nothing follows.
    package var reason: BreakFailure
    package var cause: Cause

    package init(_ reason: BreakFailure, _ cause: Cause = .error) {
        self.reason = reason
        self.cause = cause
    }

    /// Nothing came before the player's deadline: what comes later is not read.
    package static let deadline = BreakLoadFailure(.deadlineMissed, .timeout)
}
