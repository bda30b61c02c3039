import Values

package struct OutageFacts: Sendable, Equatable, ProfileFields {
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

    package static let fields = FieldList(OutageFacts(), showsDefaults: false) { f in
        let pause = ScalarRule<Duration>.duration(.zero ... .seconds(3_600))
        let failures: FieldRule<Set<FailureKind>> = FieldRule<[FailureKind]>.list(of: .choice)
            .map(spell: \.text, { Set($0) }, from: \.ordered)
        f.add("leavesFirst", \.leavesFirst, failures)
        f.add("leavesLast", \.leavesLast, failures)
        f.add("penalty", \.penalty, .duration(.zero ... .seconds(3_600)), or: "until-loaded")
        f.add("forgives", \.forgives, .boolean)
        f.add("noneLeft", \.noneLeft, .choice)
        f.add("pause", \.pause, pause, or: "half-target")
        f.add("freshPause", \.freshPause, pause, or: "as-pause")
        f.add("stopsDryAfter", \.stopsDryAfter, .orNever(.integer(0...100)))
        f.add("noChannel", \.noChannel, .choice)
        f.add("segment", \.segment, .choice)
        f.add("segmentPause", \.segmentPause, pause, or: "half-target")
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
