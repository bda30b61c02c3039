import Recording
package import Rules

/// Findings of a lint by code and playlist: a count, all sightings of the first body, and the last sighting.
///
/// Bounded by the number of codes times the number of playlists.
package struct LintLedger: Sendable {
    /// Most sightings kept of the first body: as many as the checks report of one code in one body.
    package static let sightingLimit = 8

    private struct Key: Hashable {
        var code: FindingCode
        var url: String
    }

    private var occurrences: [Key: LintFinding.Occurrence] = [:]
    private var order: [Key] = []

    package init() {}

    /// Records a finding.
    ///
    /// URL and values must be redacted. `wallMicroseconds` is since the Unix epoch, must not decrease, and is equal for all
    /// findings of one body.
    package mutating func record(
        _ code: FindingCode,
        at url: String,
        line: Int?,
        wallMicroseconds: Int64,
        expected: String,
        observed: String
    ) {
        let bounded = Evidence(url: url, expected: expected, observed: observed)
        let seen = LintFinding.Seen(
            wallMicroseconds: wallMicroseconds,
            line: line,
            expected: bounded.expected,
            observed: bounded.observed
        )
        let key = Key(code: code, url: url)
        if var known = occurrences[key] {
            known.count += 1
            known.last = seen
            if seen.wallMicroseconds == known.first.wallMicroseconds, known.others.count < Self.sightingLimit - 1 {
                known.others.append(seen)
            }
            occurrences[key] = known
        } else {
            occurrences[key] = LintFinding.Occurrence(url: bounded.url, count: 1, first: seen, others: [], last: seen)
            order.append(key)
        }
    }

    /// One finding for each code, in descending severity, then in the order of the table; `allowed` codes do not fail.
    package func findings(allowed: Set<String>) -> [LintFinding] {
        let byCode = Dictionary(grouping: order, by: \.code)
        let rows = Severity.allCases.flatMap { severity in FindingCode.table.filter { $0.severity == severity } }
        return rows.compactMap { row in
            guard let keys = byCode[row] else { return nil }
            let seen = keys.compactMap { occurrences[$0] }
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
