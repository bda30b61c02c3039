package import Players
package import Rulebook
import Time

/// How a request failed, as far as a player's retries depend on it.
package enum LoadFailure: UInt8, Sendable, CaseIterable {
    /// No answer within the player's deadlines.
    case timeout
    /// A status of 400: what a server says of delivery directives that it will not follow (bis-22 section 6.2.5).
    case badRequest
    /// Another status of 400 to 499.
    case clientError
    /// A status of 503: also what a server says that held a request too long (bis-22 section 6.2.5).
    case unavailable
    /// A status of 500.
    case internalError
    /// Any other status.
    case other
    /// No status: the connection was refused, reset or cut off.
    case noAnswer
    /// A success whose body is no playlist.
    case unreadable

    package var isClientError: Bool { self == .badRequest || self == .clientError }

    /// Whether a request with delivery directives may fare better without them.
    package var isDirectivesFault: Bool {
        switch self {
        case .timeout, .badRequest, .unavailable: true
        case .clientError, .internalError, .other, .noAnswer, .unreadable: false
        }
    }

    /// What players tell it apart by.
    package var kind: LoadFailures {
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

/// Why no steering manifest came.
package enum SteeringFailure: Sendable, Equatable {
    /// 410: the server steers no more.
    case gone
    /// 429, and the seconds of Retry-After where it says them.
    case busy(retryAfter: Int32?)
    case failed(LoadFailure)
}

extension RequestRule {
    /// Nanoseconds to wait before the next try; nil where the player gives up.
    ///
    /// Failures are counted in a row, the last one included; chance is drawn from only where a wait is spread by it.
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

/// Why a request of a break brought nothing that can be used.
package struct BreakLoadFailure: Sendable, Equatable {
    package enum Cause: Sendable {
        case error
        /// The connection was refused, reset or cut off.
        case noAnswer
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
