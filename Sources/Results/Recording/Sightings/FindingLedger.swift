import Values

package struct Sighting: Hashable, Comparable, Codable, Sendable {
    package var wallMicroseconds: Int64
    package var viewer: Int
    package var evidence: Evidence

    package static func < (lhs: Sighting, rhs: Sighting) -> Bool {
        (lhs.wallMicroseconds, lhs.viewer, lhs.evidence) < (rhs.wallMicroseconds, rhs.viewer, rhs.evidence)
    }
}

package struct FindingEntry: Summable, Equatable, Codable, Sendable {
    package private(set) var count: UInt64 = 0
    package private(set) var viewers = ViewerSet()
    package private(set) var first: Sighting?
    package private(set) var last: Sighting?
    /// For findings from the comparison of viewers; such an entry has no count.
    package internal(set) var ballots = Ballots()

    package init() {}

    package init(_ sighting: Sighting) {
        count(viewer: sighting.viewer, wallMicroseconds: sighting.wallMicroseconds) { sighting.evidence }
    }

    /// From sightings whose meaning their process could not know.
    package init(_ stray: StraySightings.Entry, saying finding: (Evidence) -> Evidence) {
        count = stray.count
        viewers = stray.viewers.all
        (first, last) = (stray.first, stray.last)
        first?.evidence = finding(stray.first.evidence)
        last?.evidence = finding(stray.last.evidence)
    }

    mutating func count(viewer: Int, wallMicroseconds: Int64, evidence: () -> Evidence) {
        count &+= 1
        viewers.insert(viewer)
        let sighting = Sighting(wallMicroseconds: wallMicroseconds, viewer: viewer, evidence: evidence())
        first = min(first ?? sighting, sighting)
        last = max(last ?? sighting, sighting)
    }

    package mutating func add(_ other: FindingEntry) {
        count &+= other.count
        viewers.formUnion(other.viewers)
        first = [first, other.first].compactMap(\.self).min()
        last = [last, other.last].compactMap(\.self).max()
        ballots.add(other.ballots)
    }
}

/// Findings of one loop or of a whole run: counts, affected viewers, and the first and last evidence of each code in each
/// break.
package struct FindingLedger: Summable, Equatable, Sendable {
    /// An empty break key means outside any break.
    package struct Key: Hashable, Comparable, Codable, Sendable {
        package var code: String
        package var breakKey: String

        package static func < (lhs: Key, rhs: Key) -> Bool { (lhs.code, lhs.breakKey) < (rhs.code, rhs.breakKey) }
    }

    package struct Row: Equatable, Codable, Sendable {
        package var key: Key
        package var entry: FindingEntry
    }

    package internal(set) var entries: [Key: FindingEntry] = [:]

    package init() {}

    package func count(of code: String) -> UInt64 {
        entries.reduce(0) { $1.key.code == code ? $0 &+ $1.value.count : $0 }
    }

    func rows(_ keys: some Sequence<Key>) -> [Row] {
        keys.sorted().compactMap { key in entries[key].map { Row(key: key, entry: $0) } }
    }

    /// Returns the earlier state.
    @discardableResult
    package mutating func replace(_ row: Row) -> FindingEntry? { entries.updateValue(row.entry, forKey: row.key) }

    package mutating func add(_ entry: FindingEntry, as key: Key) { entries[key, default: FindingEntry()].add(entry) }

    package init(rows: [Row]) { for row in rows { replace(row) } }

    package mutating func add(_ other: FindingLedger) { entries.add(other.entries) }
}

extension FindingEntry: CheckedWhenRead {
    package var problem: String? { count < 1 << 48 ? nil : "no count: \(count)" }
}

extension FindingLedger: CodableByForm {
    package init(form: [Row]) { self.init(rows: form) }

    package var form: [Row] { rows(entries.keys) }
}

/// The majority is known only after all loops are merged.
package struct Ballots: Equatable, Sendable {
    package static let subjectLimit = 8
    package static let variantLimit = 4

    package struct Choice: Summable, Equatable, Codable, Sendable {
        package fileprivate(set) var viewers: ViewerSet
        package fileprivate(set) var first: Sighting

        package mutating func add(_ other: Choice) {
            viewers.formUnion(other.viewers)
            first = min(first, other.first)
        }
    }

    package private(set) var subjects: [String: [UInt64: Choice]] = [:]
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

extension Ballots: CodableByForm, EmptyWhereMissing {
    package struct Form: Codable {
        struct Row: Codable {
            var subject: String
            var fingerprint: UInt64
            var choice: Choice
        }

        var rows: [Row]
        var notKept: UInt64
    }

    package init(form: Form) {
        for row in form.rows { subjects[row.subject, default: [:]][row.fingerprint] = row.choice }
        notKept = form.notKept
    }

    package var form: Form {
        let rows = subjects.flatMap { subject, choices in
            choices.map { Form.Row(subject: subject, fingerprint: $0.key, choice: $0.value) }
        }
        let sorted = rows.sorted { ($0.subject, $0.fingerprint) < ($1.subject, $1.fingerprint) }
        return Form(rows: sorted, notKept: notKept)
    }
}
