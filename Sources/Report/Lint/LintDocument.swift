import Results
package import Rules

/// The shipped JSON Schema (`LintDocument.jsonSchema()`) describes every field.
package struct LintDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.lint"
    package static let schemaVersion = 1

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        case passed
        case failed
        case interrupted

        package var exitCode: Int {
            switch self {
            case .passed: 0
            case .failed: 1
            case .interrupted: 130
            }
        }
    }

    package struct ReadPlaylist: Equatable, Codable, Sendable {
        package enum Kind: String, Codable, Sendable {
            case multivariant
            case media
            /// None of its answers could be read as a playlist.
            case unreadable
        }

        /// Redacted, or the file's name.
        package var url: String
        package var kind: Kind
        package var reads: Int
        /// Reads whose body differed from the one before, the first included.
        package var versions: Int

        package init(url: String, kind: Kind, reads: Int, versions: Int) {
            (self.url, self.kind, self.reads, self.versions) = (url, kind, reads, versions)
        }
    }

    package var schema = Self.schemaName
    package var schemaVersion = Self.schemaVersion
    package var podswarmVersion = PodswarmVersion.current
    /// Redacted.
    package var source: String
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    /// Least severity that fails.
    package var failsFrom: String
    package var outcome: Outcome
    package var exitCode: Int
    package var playlists: [ReadPlaylist]
    package var findings: [LintFinding]
    /// Remarks without a verdict.
    package var notes: [String]

    /// `source` is redacted; `findings` are in descending severity.
    package init(
        source: String,
        startedAtMicroseconds: Int64,
        endedAtMicroseconds: Int64,
        failsFrom: Severity,
        wasInterrupted: Bool,
        playlists: [ReadPlaylist],
        findings: [LintFinding],
        notes: [String]
    ) {
        self.source = source
        self.startedAtMicroseconds = startedAtMicroseconds
        self.endedAtMicroseconds = endedAtMicroseconds
        self.failsFrom = failsFrom.rawValue
        let fails = findings.contains { !$0.allowed && (Severity(rawValue: $0.severity) ?? .broken) >= failsFrom }
        outcome = wasInterrupted ? .interrupted : fails ? .failed : .passed
        exitCode = outcome.exitCode
        (self.playlists, self.findings, self.notes) = (playlists, findings, notes)
    }
}

package struct LintFinding: Equatable, Codable, Sendable {
    package struct Seen: Equatable, Codable, Sendable {
        package var wallMicroseconds: Int64
        /// Counted from 1.
        package var line: Int?
        package var expected: String
        package var observed: String
        /// Nil where the likeliest cause of its code holds.
        package var likely: String?
    }

    package struct Occurrence: Equatable, Codable, Sendable {
        package var url: String
        package var count: Int
        package var first: Seen
        /// On other lines of the same body; at most ``LintLedger/sightingLimit`` with the first.
        package var others: [Seen]
        package var last: Seen

        fileprivate mutating func add(_ seen: Seen) {
            count += 1
            last = seen
            let isOfFirstBody = seen.wallMicroseconds == first.wallMicroseconds
            if isOfFirstBody, others.count < LintLedger.sightingLimit - 1 { others.append(seen) }
        }
    }

    package var code: String
    package var severity: String
    package var meaning: String
    package var rule: String
    package var likelyCauses: [String]
    package var whereToLook: String
    package var allowed: Bool
    package var count: Int
    /// In the order of the first sightings.
    package var occurrences: [Occurrence]
}

/// Keeps all sightings of the first body, and the last one.
package struct LintLedger: Sendable {
    /// As many as the checks report of one code in one body.
    package static let sightingLimit = 8

    /// In the order of the first sightings.
    private var occurrences: [FindingCode: [LintFinding.Occurrence]] = [:]

    package init() {}

    /// Requires redacted URL and values; `wallMicroseconds` never decreases, and is equal for all findings of one body.
    package mutating func record(
        _ code: FindingCode,
        at url: String,
        line: Int?,
        wallMicroseconds: Int64,
        expected: String,
        observed: String,
        likely: String? = nil
    ) {
        let bounded = Evidence(url: url, expected: expected, observed: observed)
        let seen = LintFinding.Seen(
            wallMicroseconds: wallMicroseconds,
            line: line,
            expected: bounded.expected,
            observed: bounded.observed,
            likely: likely
        )
        guard let place = occurrences[code]?.firstIndex(where: { $0.url == bounded.url }) else {
            let first = LintFinding.Occurrence(url: bounded.url, count: 1, first: seen, others: [], last: seen)
            occurrences[code, default: []].append(first)
            return
        }
        occurrences[code]?[place].add(seen)
    }

    /// In descending severity, then in the order of the table; `allowed` codes do not fail.
    package func findings(allowed: Set<String>) -> [LintFinding] {
        let rows = Severity.allCases.flatMap { severity in FindingCode.table.filter { $0.severity == severity } }
        return rows.compactMap { row in
            guard let seen = occurrences[row] else { return nil }
            return LintFinding(
                code: row.code,
                severity: row.severity.rawValue,
                meaning: row.meaning,
                rule: row.rule.text,
                likelyCauses: row.likelyCauses,
                whereToLook: row.whereToLook,
                allowed: allowed.contains(row.code),
                count: seen.reduce(0) { $0 + $1.count },
                occurrences: seen
            )
        }
    }
}
