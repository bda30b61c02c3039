/// What a player does about a channel that it cannot load.
package struct OutageFacts: Sendable, Equatable {
    /// Whether a player that has tried everything goes on.
    package enum Ending: String, Sendable, CaseIterable {
        /// It asks for nothing any more: somebody has to start it again.
        case stop
        /// It asks again and again, with a pause.
        case asksOn = "ask-on"
    }

    /// What becomes of a segment that cannot be loaded.
    package enum Segment: String, Sendable, CaseIterable {
        /// Playback jumps over the hole.
        case skip
        /// It is asked for again and again, with a pause.
        case askOn = "ask-on"
    }

    /// Failures of a media playlist after which another variant, or pathway, is taken before any retry, where one is left.
    package var leavesFirst: LoadFailures
    /// The same when no retry is left.
    package var leavesLast: LoadFailures
    /// How long a variant that failed is not taken again; nil: until it was loaded.
    package var penalty: Duration?
    /// When the last variant fails, the others are taken again whatever their penalties.
    package var forgives: Bool
    /// When no retry and no variant is left.
    package var noneLeft: Ending
    /// From such a failure to the next request; nil: half a target duration, at least half a second.
    package var pause: Duration?
    /// The same of a playlist that was never loaded; nil: as of any other.
    package var freshPause: Duration?
    /// More failures in a row than this end playback as soon as nothing is left to show; nil never.
    package var stopsDryAfter: Int?
    /// When the multivariant playlist cannot be loaded.
    package var noChannel: Ending
    package var segment: Segment
    /// nil: half a target duration.
    package var segmentPause: Duration?

    package init(
        leavesFirst: LoadFailures = [],
        leavesLast: LoadFailures = [],
        penalty: Duration? = nil,
        forgives: Bool = false,
        noneLeft: Ending = .asksOn,
        pause: Duration? = nil,
        freshPause: Duration? = nil,
        stopsDryAfter: Int? = nil,
        noChannel: Ending = .asksOn,
        segment: Segment = .skip,
        segmentPause: Duration? = nil
    ) {
        self.leavesFirst = leavesFirst
        self.leavesLast = leavesLast
        self.penalty = penalty
        self.forgives = forgives
        self.noneLeft = noneLeft
        self.pause = pause
        self.freshPause = freshPause
        self.stopsDryAfter = stopsDryAfter
        self.noChannel = noChannel
        self.segment = segment
        self.segmentPause = segmentPause
    }

    /// Whether a playlist that fails may have the player take another variant.
    package var leavesVariants: Bool { leavesFirst != [] || leavesLast != [] }
}

/// How requests fail, as far as players tell it apart.
package struct LoadFailures: OptionSet, Sendable, Hashable {
    /// One of them, as a profile names it.
    package enum Name: String, Sendable, CaseIterable {
        /// No status: refused, reset, cut off.
        case noAnswer = "no-answer"
        case timeout
        /// 400 to 499.
        case clientError = "client-error"
        /// 500 and 503.
        case serverError = "server-error"
        /// Any other status.
        case otherStatus = "other-status"
        /// A success that is no playlist.
        case unreadable
    }

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ names: [Name]) { self = names.reduce(into: []) { $0.insert(LoadFailures($1)) } }

    package init(_ name: Name) {
        switch name {
        case .noAnswer: self = .noAnswer
        case .timeout: self = .timeout
        case .clientError: self = .clientError
        case .serverError: self = .serverError
        case .otherStatus: self = .otherStatus
        case .unreadable: self = .unreadable
        }
    }

    package static let noAnswer = LoadFailures(rawValue: 1)
    package static let timeout = LoadFailures(rawValue: 2)
    package static let clientError = LoadFailures(rawValue: 4)
    package static let serverError = LoadFailures(rawValue: 8)
    package static let otherStatus = LoadFailures(rawValue: 16)
    package static let unreadable = LoadFailures(rawValue: 32)
    package static let all = LoadFailures(Name.allCases)

    /// As tables show them.
    package var text: String {
        let names = Name.allCases.filter { contains(LoadFailures($0)) }.map(\.rawValue)
        return names.isEmpty ? "never" : names.count == Name.allCases.count ? "always" : names.joined(separator: " ")
    }
}
