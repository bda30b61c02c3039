import Values

package struct OutageFacts: Sendable, Equatable, PlayerFields {
    package enum Ending: String, Sendable, CaseIterable {
        /// The user has to restart the player.
        case stop
        /// Retries with a pause.
        case asksOn = "ask-on"
    }

    package enum Segment: String, Sendable, CaseIterable {
        case skip
        case askOn = "ask-on"
    }

    package var leavesFirst: Set<FailureKind> = []
    package var leavesLast: Set<FailureKind> = []
    package var penalty: Duration? = nil
    package var forgives = false
    package var noneLeft = Ending.asksOn
    package var pause: Duration? = nil
    package var freshPause: Duration? = nil
    package var stopsDryAfter: Int? = nil
    package var noChannel = Ending.asksOn
    package var segment = Segment.skip
    package var segmentPause: Duration? = nil

    package var leavesVariants: Bool { !leavesFirst.union(leavesLast).isEmpty }

    package static let usual = OutageFacts()

    package static func fields(_ f: inout FieldTable<Self>) {
        let pause = ScalarRule<Duration>.duration(.zero ... .seconds(3_600))
        f["leavesFirst", \.leavesFirst, .failures] =
            "Failures of a playlist after which another variant, or pathway, is taken before any retry."
        f["leavesLast", \.leavesLast, .failures] = "Failures after which that happens when no retry is left."
        f["penalty", \.penalty, .duration(.zero ... .seconds(3_600)), or: "until-loaded"] =
            "How long a variant that failed is not taken again."
        f["forgives", \.forgives, .boolean] =
            "When the last variant fails, the others are taken again whatever their penalties."
        f["noneLeft", \.noneLeft, .choice] = "When no retry and no variant is left."
        f["pause", \.pause, pause, or: "half-target"] = "From such a failure to the next request."
        f["freshPause", \.freshPause, pause, or: "as-pause"] = "As pause, for a playlist that was never loaded."
        f["stopsDryAfter", \.stopsDryAfter, .orNever(.integer(0...100))] =
            "More failures in a row than this end playback when nothing is left to show; 0 never."
        f["noChannel", \.noChannel, .choice] = "When the multivariant playlist cannot be loaded."
        f["segment", \.segment, .choice] = "What becomes of a segment that cannot be loaded."
        f["segmentPause", \.segmentPause, pause, or: "half-target"] = "Until such a segment is asked for again."
    }
}

package enum FailureKind: String, Sendable, CaseIterable {
    /// No status: refused, reset or cut off.
    case noAnswer = "no-answer"
    case timeout
    case clientError = "client-error"
    /// 500 and 503.
    case serverError = "server-error"
    case otherStatus = "other-status"
    /// A success whose body is not a playlist.
    case unreadable
}

extension Set<FailureKind> {
    package static var all: Self { Self(FailureKind.allCases) }

    var ordered: [FailureKind] { FailureKind.allCases.filter(contains) }

    package var text: String {
        isEmpty ? "never" : self == .all ? "always" : ordered.map(\.rawValue).joined(separator: " ")
    }
}
