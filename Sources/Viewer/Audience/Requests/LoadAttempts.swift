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
    package var isDirectivesFault: Bool { self == .timeout || self == .badRequest || self == .unavailable }

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

package enum ViewerRole: UInt8, CaseIterable, Sendable {
    case registration
    case multivariant
    case playlist
    case segment
    case podManifest
    case podRepeat
    case podPlaylist
    case podSegment
    case metadata
    case verification
    case assetList
    case assetManifest
    case beacon
    case blockingPlaylist
    case part
    case steering
    case podRepeatPlaylist
    case sessionUpdate
    case key
    /// Sent by the viewer's browser before another request.
    case preflight

    package var kind: RequestKind {
        switch self {
        case .registration: .registration
        case .multivariant: .multivariant
        case .playlist: .playlist
        case .segment: .segment
        case .podManifest, .podRepeat: .podManifest
        case .podPlaylist, .podRepeatPlaylist: .podPlaylist
        case .podSegment: .podSegment
        case .metadata: .metadata
        case .verification: .verification
        case .assetList: .assetList
        case .assetManifest: .assetManifest
        case .beacon: .beacon
        case .blockingPlaylist: .blockingPlaylist
        case .part: .part
        case .steering: .steering
        case .sessionUpdate: .sessionUpdate
        case .key: .key
        case .preflight: .preflight
        }
    }

    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8
        /// Other bodies are counted and not read; ads may be read for their media ids all the same.
        package static let keepsBody = Traits(rawValue: 1)
        /// For a viewer with a session.
        package static let isPersonal = Traits(rawValue: 2)
        package static let asksAdServer = Traits(rawValue: 4)
        /// The target gave the URL; that of a pod is built by the viewer.
        package static let comesFromTarget = Traits(rawValue: 8)

        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    package var traits: Traits {
        switch self {
        case .registration: [.keepsBody, .asksAdServer]
        case .multivariant, .playlist, .blockingPlaylist: [.keepsBody, .isPersonal]
        case .podManifest, .podRepeat: [.keepsBody, .isPersonal, .asksAdServer]
        case .podPlaylist, .podRepeatPlaylist, .assetList: [.keepsBody, .isPersonal, .asksAdServer, .comesFromTarget]
        case .metadata, .assetManifest: [.keepsBody, .isPersonal, .comesFromTarget]
        case .steering: .keepsBody
        case .sessionUpdate: [.asksAdServer, .comesFromTarget]
        case .podSegment, .verification, .beacon: .comesFromTarget
        case .segment, .part, .key, .preflight: []
        }
    }
}

extension RequestFacts {
    /// Nil if a player has no rule for the kind.
    package func rule(for role: ViewerRole) -> RequestRule? {
        switch role {
        case .multivariant: multivariant
        case .assetManifest: asset
        case .playlist, .blockingPlaylist, .podPlaylist, .podRepeatPlaylist: playlist
        // hls.js has a rule of its own for keys (keyLoadPolicy), with other times; Media3 has none.
        case .segment, .part, .podSegment, .key: segment
        case .assetList, .podManifest, .podRepeat: assetList
        case .steering: steering
        case .registration, .metadata, .verification, .beacon, .sessionUpdate, .preflight: nil
        }
    }
}
