import Foundation
import TestSupport
import Values

@testable import Comparison
@testable import Results

/// Searches for a capacity, alike but for what a test changes.
enum CapacityFixture {
    /// The `number`-th search, which found `value`, give or take `within` percent.
    static func search(
        _ number: Int,
        release: String = "1.4.1",
        value: Double = 2_000,
        within: Double = 8,
        kind: CapacityAnswer.Kind = .found
    ) throws -> CapacityFigures {
        var document = try CapacityDocument(json: Data(contentsOf: GoldenFile.capacity))
        document.answer = CapacityAnswer(
            kind: kind,
            value: value,
            lower: value / (1 + within / 100),
            upper: value * (1 + within / 100),
            text: "\(value)"
        )
        (document.search.labels, document.search.id) = (["release": release], "\(release)-\(number)")
        document.search.startedAtMicroseconds = 1_795_291_200_000_000 + Int64(number) * 86_400_000_000
        return CapacityFigures(document, path: "results/nightly/capacity-\(release)-\(number).json")
    }

    static func compare(
        _ base: [CapacityFigures],
        _ candidate: [CapacityFigures],
        options: ComparisonOptions = ComparisonOptions()
    ) -> CapacityComparisonDocument {
        CapacityComparison(options: options).compare(
            .init(inputs: ["base"], runs: base),
            against: .init(inputs: ["candidate"], runs: candidate)
        )
    }
}
