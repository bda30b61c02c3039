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

    package var summary: String {
        switch self {
        case .html: "the report as one page"
        case .junit: "JUnit XML for CI systems"
        case .markdown: "GitHub-flavoured Markdown summary"
        case .csv: "one row per second"
        case .csvGroups: "one row per value of report.by, for the run by kind of request and for each break"
        case .hlog: "HdrHistogram log of the windows"
        case .iab: "IAB Tech Lab concurrent streams at the peak"
        case .iabSeries: "IAB Tech Lab concurrent streams, one document per step and line"
        case .prometheus: "Prometheus metrics for the node exporter's textfile collector"
        }
    }

    /// UTF-8; throws `EncodingError`, or an error if a page's templates are missing.
    package func render(_ document: ResultDocument) throws -> Data {
        switch self {
        case .html: Data(try document.html().utf8)
        case .junit: Data(JUnitReport(of: document).xml().utf8)
        case .markdown: Data(document.markdown.utf8)
        case .csv: Data(SecondsTable(document: document).render().utf8)
        case .csvGroups: Data(GroupTable(document: document).render().utf8)
        case .hlog: Data(HistogramLog(document: document).render().utf8)
        case .iab: try ConcurrentStreams.peak(of: document).json()
        case .iabSeries: try ConcurrentStreams.series(of: document)
        case .prometheus: Data(ResultMetrics(document: document).render().utf8)
        }
    }
}
