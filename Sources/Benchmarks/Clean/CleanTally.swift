import Results
import Rules
import Values

struct CleanTally {
    private static let unchecked: Set<RequestKind> = [.segment, .podSegment, .part, .beacon]

    private var answers: [RequestKind: UInt64] = [:]
    private var errors: [RequestKind: UInt64] = [:]
    private var found: [Found: (severity: String, count: UInt64, evidence: String)] = [:]

    private struct Found: Hashable {
        let profile: String
        let code: String
    }

    var checked: UInt64 {
        answers.reduce(0) { Self.unchecked.contains($1.key) ? $0 : $0 + $1.value }
    }

    /// Without findings other than advice, which a clean target may have.
    var isClean: Bool { !found.values.contains { $0.severity != Severity.advice.rawValue } }

    mutating func add(_ result: ResultDocument, of profile: String) {
        for kind in RequestKind.allCases {
            guard let requests = result.requests[kind.name] else { continue }
            answers[kind, default: 0] += requests.count
            errors[kind, default: 0] += requests.errors
        }
        for finding in result.findings {
            let first = finding.occurrences.first
            let evidence = "\(finding.viewers) viewers; \(first.map { "\($0)" } ?? "no occurrence is listed")"
            let place = Found(profile: profile, code: finding.code)
            found[place, default: (finding.severity, 0, String(evidence.prefix(600)))].count += finding.count
        }
    }

    var text: String {
        let kinds = RequestKind.allCases.filter { answers[$0, default: 0] > 0 }
        var lines = [["", "answers", "errors"]]
        lines += kinds.map { kind in
            let name = kind.name + (Self.unchecked.contains(kind) ? " (not checked)" : "")
            return [name, "\(answers[kind, default: 0])", "\(errors[kind, default: 0])"]
        }
        lines.append(["checked", "\(checked)", ""])
        let findings = found.sorted { ($0.key.profile, $0.key.code) < ($1.key.profile, $1.key.code) }.map {
            "\($0.profile): \($1.severity) \($0.code): \($1.count)\n    \($1.evidence)"
        }
        return TextColumns.lines(lines, othersFlush: .right).joined(separator: "\n") + "\n\n"
            + (findings.isEmpty ? "No findings." : findings.joined(separator: "\n"))
    }
}
