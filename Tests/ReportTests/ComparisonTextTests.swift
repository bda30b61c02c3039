import Foundation
import Report
import TestSupport
import Testing

@testable import Comparison

@Suite struct ComparisonTextTests {
    private func single() -> ComparisonDocument {
        var document = ExampleComparison.document(.inconclusive)
        document.verdict.reasons = ["Within-run noise only."]
        return document
    }

    @Test func aRegressionIsPinned() throws {
        try GoldenFile.expect(
            ExampleComparison.document(.regression).text(),
            at: "Tests/ReportTests/Goldens/comparison-regression.txt"
        )
    }

    @Test func singleRunsArePinnedNarrowAndColoured() throws {
        let text = single().text(TextRendering(width: 60, colour: true))
        try GoldenFile.expect(text, at: "Tests/ReportTests/Goldens/comparison-single.txt")
        for line in text.replacing(/\u{1b}\[[0-9]+m/, with: "").split(separator: "\n") {
            #expect(line.count <= 60, "\(line)")
        }
    }

    @Test func whatCannotBeComparedShowsWhatDiffers() throws {
        var document = ExampleComparison.document(.incomparable)
        document.comparability.comparable = false
        document.verdict.reasons = document.comparability.differences.map(\.text)
        (document.metrics, document.rates, document.findings) = ([], [], [])
        let text = document.text()
        #expect(text.contains("NOT COMPARABLE (exit 3)"))
        #expect(!text.contains("Findings"), "nothing was looked for")
        #expect(text.ranges(of: "cpu_count differs").count == 1)
        #expect(!text.contains("\u{1b}"), "a file's name must not steer a terminal")
    }

    @Test func markdownIsPinned() throws {
        try GoldenFile.expect(
            ExampleComparison.document(.regression).markdown,
            at: "Tests/ReportTests/Goldens/comparison-markdown.txt"
        )
        try GoldenFile.expect(single().markdown, at: "Tests/ReportTests/Goldens/comparison-markdown-single.txt")
    }
}
