package import CapacityResult
package import Comparison
package import Foundation
import JSON
import Rulebook
package import RunResult

/// A document as one self-contained HTML page: no network, no other file, light and dark, on screens and on paper.
///
/// All charts are SVG drawn here; without scripts the page still shows all of them.
package struct HTMLReport: Sendable {
    /// A result and where it was read.
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

    /// The page.
    ///
    /// - Throws: Where style and script are not installed beside the executable; so do the other pages.
    package func render() throws -> String { try Page(document).html() }

    /// What a search for a capacity came to, ended or not.
    package static func capacity(_ document: CapacityDocument) throws -> String { try Page(document).html() }

    /// The history of a profile.
    package static func trend(_ document: TrendDocument) throws -> String { try Page(document).html() }

    /// A comparison, with curves of the distributions that were read with the runs of both sides where it has none of its own.
    package static func comparison(
        _ document: ComparisonDocument,
        base: [RunFigures] = [],
        candidate: [RunFigures] = []
    ) throws -> String {
        var document = document
        if document.curves.isEmpty { document.curves = OverlaidCurves.curves(of: base, candidate) }
        return try Page(document).html()
    }

    /// The page of whatever result bytes hold, in UTF-8: of a run, or of a search for a capacity.
    package static func page(of json: Data) throws -> String {
        guard !CapacityDocument.isNamed(in: json) else { return try capacity(CapacityDocument(json: json)) }
        return try HTMLReport(of: ResultDocument(json: json)).render()
    }

    /// One run held against another, by itself: hardly anything is decided so.
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
