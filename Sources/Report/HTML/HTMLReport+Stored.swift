import CapacityResult
import Comparison
package import Foundation
import JSON
import Rulebook
package import RunResult

extension HTMLReport {
    /// A result and where it was read.
    package struct Stored {
        fileprivate let document: ResultDocument
        fileprivate let path: String

        package init(_ document: ResultDocument, at path: String) {
            self.document = document
            self.path = path
        }
    }

    /// The page of whatever result bytes hold: of a run, or of a search for a capacity.
    ///
    /// - Parameter json: UTF-8.
    /// - Returns: HTML in UTF-8.
    /// - Throws: What the document says of bytes that are none, or of templates that are not installed.
    package static func page(of json: Data) throws -> String {
        guard !CapacityDocument.isNamed(in: json) else { return try capacity(CapacityDocument(json: json)) }
        return try HTMLReport(of: ResultDocument(json: json)).render()
    }

    /// One run held against another, by itself: hardly anything is decided so.
    ///
    /// - Returns: HTML in UTF-8.
    /// - Throws: Where the templates are not installed beside the executable.
    package static func comparison(_ base: Stored, against candidate: Stored) throws -> String {
        let sides = try [base, candidate].map { stored in
            ReleaseComparison.Side(
                inputs: [stored.path],
                runs: [
                    try RunFigures(json: stored.document.json(), path: stored.path, distributions: distributions)
                ]
            )
        }
        let document = ReleaseComparison().compare(sides[0], against: sides[1])
        return try comparison(document, base: sides[0].runs, candidate: sides[1].runs)
    }

    /// Drawn over one another: what viewers waited for, kind by kind.
    private static let distributions = Set(RequestKind.allCases.map { "\($0.name).\(LatencyMetric.response.name)" })
}
