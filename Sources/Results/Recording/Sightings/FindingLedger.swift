import Values

/// Viewer that sees something, at an instant since the Unix epoch.
package struct ViewerMoment: Sendable {
    package let viewer: Int
    package let wallMicroseconds: Int64

    package init(viewer: Int, wallMicroseconds: Int64) {
        (self.viewer, self.wallMicroseconds) = (viewer, wallMicroseconds)
    }
}

package struct Sighting: Hashable, Comparable, Codable, Sendable {
    package var wallMicroseconds: Int64
    package var viewer: Int
    package var evidence: Evidence

    init(_ moment: ViewerMoment, _ evidence: Evidence) {
        (wallMicroseconds, viewer, self.evidence) = (moment.wallMicroseconds, moment.viewer, evidence)
    }

    package static func < (lhs: Sighting, rhs: Sighting) -> Bool {
        (lhs.wallMicroseconds, lhs.viewer, lhs.evidence) < (rhs.wallMicroseconds, rhs.viewer, rhs.evidence)
    }
}

package struct FindingEntry: Summable, Equatable, Codable, Sendable, CheckedWhenRead {
    package private(set) var count: UInt64 = 0
    package private(set) var viewers = ViewerSet()
    package private(set) var span: SightingSpan?
    /// For findings from the comparison of viewers; such an entry has no count.
    package internal(set) var ballots = Ballots()

    package init() {}

    package init(_ moment: ViewerMoment, _ evidence: Evidence) { count(moment, evidence) }

    /// From sightings whose meaning their process could not know.
    package init(_ stray: StraySightings.Entry, saying finding: (Evidence) -> Evidence) {
        count = stray.count
        viewers = stray.viewers.all
        span = SightingSpan(first: stray.first, last: stray.last).replacingEvidence(finding)
    }

    mutating func count(_ moment: ViewerMoment, _ evidence: Evidence) {
        count &+= 1
        viewers.insert(moment.viewer)
        span.add(SightingSpan(Sighting(moment, evidence)))
    }

    package mutating func add(_ other: FindingEntry) {
        count &+= other.count
        viewers.formUnion(other.viewers)
        span.add(other.span)
        ballots.add(other.ballots)
    }

    package var problem: String? { count < 1 << 48 ? nil : "no count: \(count)" }
}

/// Counts, affected viewers, and the first and last evidence of each code in each break.
package struct FindingLedger: Summable, Equatable, Codable, Sendable {
    /// An empty break key means outside any break.
    package struct Key: Hashable, Codable, Sendable {
        package var code: String
        package var breakKey: String
    }

    package internal(set) var entries: [Key: FindingEntry] = [:]

    package mutating func add(_ other: FindingLedger) { entries.add(other.entries) }
}

/// The majority is known only after all loops are merged.
package struct Ballots: Equatable, Codable, Sendable, EmptyWhereMissing {
    package static let subjectLimit = 8
    package static let variantLimit = 4

    /// Each choice has the first sighting of its loop, and counts no observations.
    package private(set) var subjects: [String: [UInt64: ContentVariant]] = [:]
    package private(set) var notKept: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { subjects.isEmpty && notKept == 0 }

    /// Returns whether the choice is new beside others.
    mutating func cast(
        _ subject: String,
        fingerprint: UInt64,
        at moment: ViewerMoment,
        evidence: () -> Evidence
    ) -> Bool {
        let choices = subjects[subject]
        guard choices?[fingerprint] == nil else {
            subjects[subject]?[fingerprint]?.viewers.insert(moment.viewer)
            return false
        }
        let hasRoom = choices.map { $0.count < Self.variantLimit } ?? (subjects.count < Self.subjectLimit)
        guard hasRoom else {
            notKept &+= 1
            return false
        }
        var choice = ContentVariant(span: SightingSpan(Sighting(moment, evidence())))
        choice.viewers.insert(moment.viewer)
        subjects[subject, default: [:]][fingerprint] = choice
        return choices != nil
    }

    mutating func add(_ other: Ballots) {
        notKept &+= other.notKept
        subjects.add(other.subjects)
    }
}
