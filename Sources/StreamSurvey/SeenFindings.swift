import Conformance
import HLS
import Rulebook
import Time

/// Findings in the answers of a survey, once for each code.
struct SeenFindings: Sendable {
    private var seen: [String: FindingCode] = [:]
    private var watch = PlaylistWatch()

    /// Begins with those of a first answer.
    init(_ violations: [Violation]) {
        saw(violations)
    }

    /// Adds those of an answer by itself.
    mutating func saw(_ violations: [Violation]) {
        for violation in violations { seen[violation.code.code] = violation.code }
    }

    /// Adds those that a version of the followed playlist shows beside the versions before it.
    mutating func saw(_ playlist: MediaPlaylist, askedAt asked: Instant, answeredAt answered: Instant) {
        guard playlist.skippedSegments == 0 else { return }
        saw(
            watch.loaded(
                playlist,
                askedAt: .nanoseconds(asked.nanoseconds),
                at: .nanoseconds(answered.nanoseconds)
            )
        )
    }

    /// The gravest first, those of one severity by name.
    var codes: [FindingCode] {
        seen.values.sorted { ($1.severity, $0.code) < ($0.severity, $1.code) }
    }
}
