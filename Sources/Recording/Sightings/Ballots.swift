import Values

/// Variants that viewers got of content that should have only one: viewers by subject and variant.
///
/// The majority, and so the affected viewers, are known only after all loops are merged.
package struct Ballots: Equatable, Sendable {
    package static let subjectLimit = 8
    package static let variantLimit = 4

    package struct Choice: Summable, Equatable, Codable, Sendable {
        package fileprivate(set) var viewers: ViewerSet
        /// Sighting by the first viewer that got it.
        package fileprivate(set) var first: Sighting

        package mutating func add(_ other: Choice) {
            viewers.formUnion(other.viewers)
            first = min(first, other.first)
        }
    }

    package private(set) var subjects: [String: [UInt64: Choice]] = [:]
    /// Observations past the limit of subjects or variants.
    package private(set) var notKept: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { subjects.isEmpty && notKept == 0 }

    mutating func cast(
        _ subject: String,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: () -> Evidence
    ) {
        let choices = subjects[subject]
        guard choices?[fingerprint] == nil else {
            subjects[subject]?[fingerprint]?.viewers.insert(viewer)
            return
        }
        let hasRoom =
            choices.map { $0.count < Self.variantLimit } ?? (subjects.count < Self.subjectLimit)
        guard hasRoom else {
            notKept &+= 1
            return
        }
        var viewers = ViewerSet()
        viewers.insert(viewer)
        let sighting = Sighting(wallMicroseconds: wallMicroseconds, viewer: viewer, evidence: evidence())
        subjects[subject, default: [:]][fingerprint] = Choice(viewers: viewers, first: sighting)
    }

    mutating func add(_ other: Ballots) {
        notKept &+= other.notKept
        subjects.add(other.subjects)
    }
}

extension Ballots: Codable, EmptyWhereMissing {
    private struct Row: Codable {
        var subject: String
        var fingerprint: UInt64
        var choice: Choice
    }

    private struct Written: Codable {
        var rows: [Row]
        var notKept: UInt64
    }

    package init(from decoder: any Decoder) throws {
        let written = try Written(from: decoder)
        for row in written.rows { subjects[row.subject, default: [:]][row.fingerprint] = row.choice }
        notKept = written.notKept
    }

    package func encode(to encoder: any Encoder) throws {
        let rows = subjects.flatMap { subject, choices in
            choices.map { Row(subject: subject, fingerprint: $0.key, choice: $0.value) }
        }
        let sorted = rows.sorted { ($0.subject, $0.fingerprint) < ($1.subject, $1.fingerprint) }
        try Written(rows: sorted, notKept: notKept).encode(to: encoder)
    }
}
