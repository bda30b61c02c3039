package import Comparison
import Foundation
import Thresholds

/// A history in the layout that Apache Otava's CSV importer reads, with the configuration that names its columns.
///
/// Otava takes no gaps: a metric that any run lacks is left out. Its own test for changes needs runs on both sides of a
/// change, so it judges the newest run only some runs later.
///
/// Source: apache-otava 0.7, `otava/importer.py` and `otava/test_config.py`.
package struct OtavaTable: Sendable {
    private let document: TrendDocument
    private let metrics: [TrendMetric]

    /// Attributes of a run; Otava groups and prints by them.
    package static let attributes = ["release", "commit", "run"]

    package init(of document: TrendDocument) {
        self.document = document
        metrics = document.metrics.filter { !$0.values.contains(nil) }
    }

    /// Metrics that are not in the table, because a run has no such figure.
    package var metricsLeftOut: [String] {
        document.metrics.filter { $0.values.contains(nil) }.map(\.metric)
    }

    /// The table: a header, then one row for each run, oldest first.
    ///
    /// - Returns: RFC 4180 with plain line feeds; times are in UTC to the second.
    package func csv() -> String {
        let header = ["time"] + Self.attributes + metrics.map(\.metric)
        let rows = document.runs.enumerated().map { index, run in
            [
                Self.time(run.startedAt), run.labels["release"] ?? run.labels["version"] ?? "",
                run.labels["commit"] ?? "", run.path,
            ].map(Self.defused) + metrics.map { $0.values[index].map(MetricText.number) ?? "" }
        }
        return ([header] + rows).map { $0.map(Self.field).joined(separator: ",") + "\n" }.joined()
    }

    /// The configuration that lets `otava analyze` read the table.
    ///
    /// - Parameter file: Where the table is, as Otava shall open it.
    /// - Returns: YAML with one test, named as the profile.
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

    /// `2026-11-21T20:00:00.000Z` as `2026-11-21 20:00:00 +0000`, which no date parser can take for another day.
    private static func time(_ iso8601: String) -> String {
        iso8601.prefix(19).replacing("T", with: " ") + " +0000"
    }

    private static let formulaStarts = Set("=+-@".unicodeScalars)

    /// A text that no spreadsheet takes for a formula: an apostrophe stands before what could be one.
    private static func defused(_ text: String) -> String {
        let shown = TextLayout.printable(text)
        return shown.unicodeScalars.first.map(formulaStarts.contains) == true ? "'" + shown : shown
    }

    private static func field(_ text: String) -> String {
        // By scalars: a carriage return with a line feed is one Character, and equal to neither.
        guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    /// A YAML double-quoted scalar is JSON's; beyond ASCII, YAML has characters that it refuses, and escapes for all.
    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let json = try? encoder.encode(TextLayout.printable(text)) else { return "\"\"" }
        return String(decoding: json, as: UTF8.self).unicodeScalars.reduce(into: "") { quoted, scalar in
            guard !scalar.isASCII else { return quoted.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            quoted += "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
        }
    }
}
