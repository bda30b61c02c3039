import Foundation
import Results
import Rules
import Values

struct FaultTally {
    private struct Truth: Decodable {
        struct Affected: Decodable {
            let viewers: Int
            /// Viewers by the number of the break.
            let breaks: [String: Int]
        }

        let affected: [String: Affected]
    }

    private struct Row {
        let code: String
        let planned: (viewers: Int, breaks: Int)
        let found: (viewers: Int, breaks: Int)

        /// Whether its findings name no break, though the fault was planned for one: the fault has none, as in a registration,
        /// or shows when the break has left the playlist.
        var isWithoutBreak: Bool { planned.breaks == 1 && found.breaks == 0 }

        /// For a fault of many breaks only the viewers of its findings are compared.
        var isExact: Bool {
            planned.viewers > 0 && planned.viewers == found.viewers && (planned.breaks != 1 || found.breaks <= 1)
        }
    }

    private let rows: [Row]
    private let others: [FindingResult]
    private let unplanned: Int

    /// `truth` is the output of `podswarm run --origin-truth`; throws `DecodingError` where it is invalid.
    init(_ findings: [FindingResult], truth: Data) throws {
        let affected = try JSONDecoder().decode(Truth.self, from: truth).affected
        let found = Dictionary(findings.map { ($0.code, $0) }) { first, _ in first }
        let planned = FindingCode.table.filter { affected[$0.fault] != nil }
        rows = planned.compactMap { row in
            guard let touched = affected[row.fault] else { return nil }
            let breaks = Set(found[row.code]?.occurrences.compactMap(\.breakKey) ?? [])
            return Row(
                code: row.code,
                planned: (touched.viewers, touched.breaks.count),
                found: (found[row.code]?.viewers ?? 0, breaks.count)
            )
        }
        let codes = Set(planned.map(\.code))
        others = findings.filter { !codes.contains($0.code) }
        unplanned = FindingCode.table.count - planned.count
    }

    /// Whether each planned fault was found for exactly the affected viewers, and no other finding is above advice.
    var isExact: Bool {
        rows.allSatisfy(\.isExact) && others.allSatisfy { $0.severity == Severity.advice.rawValue }
    }

    var text: String {
        var lines = [["", "touched", "found", "in breaks", "found", ""]]
        lines += rows.map { row in
            [
                row.code, "\(row.planned.viewers)", "\(row.found.viewers)", "\(row.planned.breaks)",
                row.isWithoutBreak ? "none" : "\(row.found.breaks)", row.isExact ? "exact" : "off",
            ]
        }
        let besides = others.map { finding in
            let first = finding.occurrences.first?.first
            let evidence = first.map { ": \($0.url), expected \($0.expected), observed \($0.observed)" } ?? ""
            return
                "found besides: \(finding.severity) \(finding.code), \(finding.viewers) viewers\(evidence.prefix(300))"
        }
        let exact = rows.count { $0.isExact }
        let withoutBreak = rows.count { $0.isExact && $0.isWithoutBreak }
        let summary =
            "\(exact) of \(rows.count) codes exact, \(withoutBreak) of them named without a break; "
            + "\(unplanned) codes were not planned"
        return ([TextColumns.lines(lines, othersFlush: .right).joined(separator: "\n"), ""] + besides + [summary])
            .joined(separator: "\n")
    }
}
