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

        package var exitCode: Int { self == .passed ? 0 : self == .failed ? 1 : 130 }
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
        (self.source, self.failsFrom) = (source, failsFrom.rawValue)
        (self.startedAtMicroseconds, self.endedAtMicroseconds) = (startedAtMicroseconds, endedAtMicroseconds)
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

extension LintDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String {
        let findings = findings.map { rendering.lines([.entries(Entries([entry($0)]))], indent: 0) }
        let heading = rendering.parts(Section("source", source, summary: Words(facts)))
        return rendering.text(
            heading + findings + [notes.flatMap { rendering.wrapped(Words($0)) }, rendering.wrapped(verdict)]
        )
    }

    private var facts: String {
        let media = playlists.filter { $0.kind == .media }
        let reads = playlists.reduce(0) { $0 + $1.reads }
        let seconds = Double(endedAtMicroseconds - startedAtMicroseconds) / 1_000_000
        let versions = TextLayout.counted(media.reduce(0) { $0 + $1.versions }, "version")
        let facts = [TextLayout.counted(media.count, "media playlist")]
        guard reads > playlists.count else { return facts[0] }
        let followed = [
            "\(TextLayout.counted(reads, "answer")) with \(versions)", "\(MetricText.rounded(seconds, places: 0)) s",
        ]
        return (facts + followed).joined(separator: ", ")
    }

    private func entry(_ finding: LintFinding) -> Entries.Entry {
        let severity = Severity(rawValue: finding.severity)
        let tone: Tone = finding.allowed || severity == .advice ? .quiet : severity == .suspect ? .warn : .bad
        let times = TextLayout.counted(finding.count, "time") + (finding.allowed ? " (allowed)" : "")
        let shown = finding.occurrences.prefix(Self.shownPlaylists)
        let unlisted = finding.occurrences.count - shown.count
        let places = Entries(shown.flatMap(sightings), noun: "playlist", unlisted: unlisted)
        let causes = LikelyCauses(finding.occurrences.lazy.flatMap { [$0.first, $0.last] + $0.others }.map(\.likely))
        let told = FindingEntry(
            places: [.entries(places)],
            meaning: Words(finding.meaning),
            causes: causes.all(of: Array(finding.likelyCauses.prefix(1))),
            whereToLook: finding.whereToLook,
            rule: finding.rule
        )
        return .init("\(tag: finding.severity, tone) \(finding.code)  \(times)", told.blocks)
    }

    private static let shownPlaylists = 8

    private func sightings(_ occurrence: LintFinding.Occurrence) -> [Entries.Entry] {
        let shown = [occurrence.first] + occurrence.others
        let times = occurrence.count > 1 ? "first of \(TextLayout.grouped(occurrence.count)), " : ""
        let last = shown.contains(occurrence.last) ? [] : [seen("last, ", occurrence, occurrence.last)]
        return [seen(times, occurrence, occurrence.first)] + occurrence.others.map { seen("", occurrence, $0) } + last
    }

    /// The error may be anywhere in the line.
    private func seen(_ word: String, _ occurrence: LintFinding.Occurrence, _ seen: LintFinding.Seen) -> Entries.Entry {
        let line = seen.line.map { ", line \($0)" } ?? ""
        let time = UTCText.iso8601(microseconds: seen.wallMicroseconds)
        let place = Words("\(occurrence.url)\(line), \(word)\(time)")
        return FindingEntry.sighting(seen.expected, seen.observed, [Fact("where", place)], [])
    }

    private var verdict: Words {
        let open = findings.filter { !$0.allowed }
        let from = Severity(rawValue: failsFrom) ?? .wrong
        let failing = open.filter { (Severity(rawValue: $0.severity) ?? .broken) >= from }
        let rest = open.count - failing.count
        let lesser = rest > 0 ? ", \(TextLayout.counted(rest, "finding")) of lesser severity" : ""
        let count = TextLayout.counted(failing.count, "finding")
        return switch outcome {
        case .passed: Words("PASSED: no finding of severity \(from.rawValue) or above\(lesser)", .good)
        case .failed: Words("FAILED: \(count) of severity \(from.rawValue) or above\(lesser)", .bad)
        case .interrupted: Words("INTERRUPTED: \(TextLayout.counted(open.count, "finding"))", .warn)
        }
    }
}
