package import Comparison
import Foundation
import Rules
import Values

/// A history for Apache Otava's CSV importer, which takes no gaps: a metric that any run lacks is omitted.
///
/// Otava's test needs runs on both sides of a change: it judges the newest run only some runs later.
///
/// Source: apache-otava 0.7, `otava/importer.py` and `otava/test_config.py`.
package struct OtavaTable: Sendable {
    private let document: TrendDocument
    private let metrics: [TrendMetric]

    /// Otava groups and prints by these attributes.
    package static let attributes = ["release", "commit", "run"]

    package init(of document: TrendDocument) {
        self.document = document
        metrics = document.metrics.filter { !$0.values.contains(nil) }
    }

    package var metricsLeftOut: [String] { document.metrics.filter { $0.values.contains(nil) }.map(\.metric) }

    /// RFC 4180 with plain line feeds; rows are oldest first, times in UTC to the second.
    package func csv() -> String {
        let header = ["time"] + Self.attributes + metrics.map(\.metric)
        let rows = document.runs.enumerated().map { index, run in
            [
                Self.time(run.startedAt), run.labels["release"] ?? run.labels["version"] ?? "",
                run.labels["commit"] ?? "", run.path,
            ].map(Self.defused) + metrics.map { $0.values[index].map(MetricText.number) ?? "" }
        }
        return ([header] + rows).map { SecondsTable.record($0, end: "\n") }.joined()
    }

    /// YAML for `otava analyze`; `file` is the path of the table for Otava.
    package func configuration(file: String) -> String {
        let name = document.group.profile
        let lines = metrics.map { metric in
            """
                  \(Self.quoted(metric.metric)):
                    column: \(Self.quoted(metric.metric))
                    direction: \(metric.higherIsWorse ? -1 : 1)

            """
        }
        return """
            tests:
              \(Self.quoted(name)):
                type: csv
                file: \(Self.quoted(file))
                time_column: time
                attributes: [\(Self.attributes.joined(separator: ", "))]
                metrics:

            """ + lines.joined()
    }

    /// Such as `2026-11-21 20:00:00 +0000`, which no date parser mistakes for another day.
    private static func time(_ iso8601: String) -> String { iso8601.prefix(19).replacing("T", with: " ") + " +0000" }

    private static let formulaStarts = Set("=+-@".unicodeScalars)

    /// Puts an apostrophe before a text that a spreadsheet could run as a formula.
    private static func defused(_ text: String) -> String {
        let shown = TextLayout.printable(text)
        return shown.unicodeScalars.first.map(formulaStarts.contains) == true ? "'" + shown : shown
    }

    private static func quoted(_ text: String) -> String { YAMLScalar.quoted(TextLayout.printable(text)) }
}
