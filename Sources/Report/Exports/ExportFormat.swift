package import Foundation
package import Results

/// Raw values are the words of the command line.
package enum ExportFormat: String, CaseIterable, Sendable {
    case html
    case junit
    case markdown
    case csv
    /// RFC 4180.
    case csvGroups = "csv-groups"
    /// For HdrHistogram's Java, Python and JavaScript tools.
    case hlog
    case iab
    case iabSeries = "iab-series"
    case prometheus

    package var summary: String { row.summary }

    /// UTF-8; throws `EncodingError`, or an error if a page's templates are missing.
    package func render(_ document: ResultDocument) throws -> Data { Data(try row.text(document).utf8) }

    private var row: (summary: String, text: (ResultDocument) throws -> String) {
        switch self {
        case .html: ("the report as one page", { try $0.html() })
        case .junit: ("JUnit XML for CI systems", { JUnitReport(of: $0).xml() })
        case .markdown: ("GitHub-flavoured Markdown summary", \.markdown)
        case .csv: ("one row per second", { SecondsTable(document: $0).render() })
        case .csvGroups:
            (
                "one row per value of report.by, for the run by kind of request and for each break",
                { GroupTable(document: $0).render() }
            )
        case .hlog: ("HdrHistogram log of the windows", { HistogramLog(document: $0).render() })
        case .iab: ("IAB Tech Lab concurrent streams at the peak", { try ConcurrentStreams.peak(of: $0).json() })
        case .iabSeries:
            (
                "IAB Tech Lab concurrent streams, one document per step and line",
                { try ConcurrentStreams.series(of: $0) }
            )
        case .prometheus:
            ("Prometheus metrics for the node exporter's textfile collector", { ResultMetrics(document: $0).render() })
        }
    }
}
