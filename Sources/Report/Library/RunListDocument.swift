package import Comparison
import Results

/// Runs of a folder as JSON, as printed by `podswarm results --json`.
package struct RunListDocument: PrintedDocument {
    package static let schemaFile = "results"

    private let schema = "podswarm.results"
    private let schemaVersion = 1
    private let podswarmVersion = PodswarmVersion.current
    private let runs: [RunRow]
    private let leftOut: [LeftOutFile]

    package init(_ list: RunList) {
        (runs, leftOut) = (list.rows, list.leftOut)
    }
}
