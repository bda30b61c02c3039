import Comparison
package import Foundation
package import Results
import Rules
import Values

/// A stored result and its path.
package struct StoredResult {
    private let document: ResultDocument
    private let path: String

    package init(_ document: ResultDocument, at path: String) { (self.document, self.path) = (document, path) }

    package static func html(of json: Data) throws -> String {
        guard !CapacityDocument.isNamed(in: json) else { return try CapacityDocument(json: json).html() }
        return try ResultDocument(json: json).html()
    }

    /// A comparison of two single runs is inconclusive.
    package func html(against candidate: StoredResult) throws -> String {
        let sides = try [self, candidate].map { stored in
            let json = try stored.document.json()
            let figures = try RunFigures(json: json, path: stored.path, distributions: Self.distributions)
            return ReleaseComparison.Side(inputs: [stored.path], runs: [figures])
        }
        return try ReleaseComparison().compare(sides[0], against: sides[1])
            .html(base: sides[0].runs, candidate: sides[1].runs)
    }

    private static let distributions = Set(RequestKind.allCases.map { "\($0.name).\(LatencyMetric.response.name)" })
}
