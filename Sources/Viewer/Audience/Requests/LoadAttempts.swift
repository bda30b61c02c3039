package import Profile
package import Rules
package import Values

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

    /// Returns false if the player makes no other attempt.
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

    package var isUnderWay: Bool { if case .underWay = state { true } else { false } }

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

/// Failures that players' retries distinguish.
package enum LoadFailure: UInt8, Sendable, CaseIterable {
    /// No answer within the player's deadlines.
    case timeout
    /// Status 400: also the answer of a server that rejects delivery directives (bis-22 section 6.2.5).
    case badRequest
    case clientError
    /// Status 503: also the answer of a server that held a request too long (bis-22 section 6.2.5).
    case unavailable
    case internalError
    case other
    /// No status: the connection was refused, reset or cut off.
    case noAnswer
    /// A success whose body is not a playlist.
    case unreadable

    package var isClientError: Bool { self == .badRequest || self == .clientError }

    /// Whether the request may succeed without its delivery directives.
    package var isDirectivesFault: Bool {
        switch self {
        case .timeout, .badRequest, .unavailable: true
        case .clientError, .internalError, .other, .noAnswer, .unreadable: false
        }
    }

    package var kind: FailureKind {
        switch self {
        case .timeout: .timeout
        case .badRequest, .clientError: .clientError
        case .unavailable, .internalError: .serverError
        case .other: .otherStatus
        case .noAnswer: .noAnswer
        case .unreadable: .unreadable
        }
    }
}

package enum SteeringFailure: Sendable, Equatable {
    /// 410: the server has stopped steering.
    case gone
    /// 429, with the seconds of Retry-After.
    case busy(retryAfter: Int32?)
    case failed(LoadFailure)
}

extension RequestRule {
    /// Nanoseconds; nil if the player gives up.
    ///
    /// `failures` counts consecutive ones including the last.
    package func wait(after failure: LoadFailure, failures: UInt8, chance: inout ViewerChance) -> Int64? {
        guard !failure.isClientError || retriesClientErrors else { return nil }
        let rule =
            switch failure {
            case .timeout: afterTimeout
            case .noAnswer: afterNoAnswer
            case .badRequest, .clientError, .unavailable, .internalError, .other, .unreadable: afterError
            }
        guard rule.retries > 0 else { return nil }
        let place = rule.fuzz > 0 ? chance.unit() : 0.5
        return rule.wait(before: Int(failures), chance: place)?.nanosecondsHeld
    }
}

package struct BreakLoadFailure: Sendable, Equatable {
    package var reason: BreakFailure
    /// Nil if a retry would fail alike: for an unusable answer, or a host that must not be asked.
    package var cause: LoadFailure?

    package init(_ reason: BreakFailure, _ cause: LoadFailure?) { (self.reason, self.cause) = (reason, cause) }

    package static let deadline = BreakLoadFailure(.deadlineMissed, .timeout)
}
