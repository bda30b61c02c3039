package import Comparison
package import Foundation
package import Results
import Rules
import Values

/// A document as one self-contained HTML page: no network, no other file, light and dark, for screens and paper.
///
/// All charts are inline SVG, so the page shows them without scripts.
package struct HTMLReport: Sendable {
    package struct Stored {
        fileprivate let document: ResultDocument
        fileprivate let path: String

        package init(_ document: ResultDocument, at path: String) {
            (self.document, self.path) = (document, path)
        }
    }

    private let document: ResultDocument

    package init(of document: ResultDocument) {
        self.document = document
    }

    /// Renders the page of a result.
    ///
    /// - Throws: An error if style and script are not installed beside the executable, as for the other pages.
    package func render() throws -> String { try Page(document).html() }

    package static func capacity(_ document: CapacityDocument) throws -> String { try Page(document).html() }

    package static func trend(_ document: TrendDocument) throws -> String { try Page(document).html() }

    /// The page of a comparison; without curves of its own it gets those of the distributions in the given runs.
    package static func comparison(
        _ document: ComparisonDocument,
        base: [RunFigures] = [],
        candidate: [RunFigures] = []
    ) throws -> String {
        var document = document
        if document.curves.isEmpty { document.curves = OverlaidCurves.curves(of: base, candidate) }
        return try Page(document).html()
    }

    /// The page of a stored result in UTF-8: of a run, or of a capacity search.
    package static func page(of json: Data) throws -> String {
        guard !CapacityDocument.isNamed(in: json) else { return try capacity(CapacityDocument(json: json)) }
        return try HTMLReport(of: ResultDocument(json: json)).render()
    }

    /// The page of a comparison of two single runs, which decides hardly anything.
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

    /// Response times of all kinds, for overlaid curves.
    private static let distributions = Set(RequestKind.allCases.map { "\($0.name).\(LatencyMetric.response.name)" })
}
