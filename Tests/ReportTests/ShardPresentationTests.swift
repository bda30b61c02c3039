import Comparison
import Foundation
import JSON
import RunResult
import TestSupport
import Testing

@testable import Report

/// Results of several shards in every form.
@Suite struct ShardPresentationTests {
    /// The result of a run whose third shard left nothing and whose second was its own limit.
    private static func document(hostile: String? = nil) throws -> ResultDocument {
        var document = try ExampleResult.judged(.incomplete)
        document.verdict.reasons = ["shard 2 of 3 left nothing"]
        document.shards = (0..<3).map { index in
            var shard = ShardResult(missing: index)
            guard index < 2 else { return shard }
            shard.state = .ended
            shard.host = document.run.host
            shard.host?.name = hostile ?? "edge-\(index)"
            shard.viewers = 50
            shard.requests = 1_234
            shard.errors = 2
            shard.due = 40
            shard.onTime = 39
            shard.health = document.health
            shard.health?.withinBudget = index == 0
            return shard
        }
        return document
    }

    @Test func theSummaryNamesEachShard() throws {
        let text = TextSummary(of: try Self.document(), path: nil, width: 120).render()
        #expect(text.contains("INCOMPLETE: shards are missing"))
        #expect(text.contains("Shards: 1 of 3 whole and within their budget"))
        #expect(text.contains("edge-1") && text.contains("was the limit") && text.contains("left nothing"))
        #expect(text.contains("97.5%"))
        #expect(!TextSummary(of: try ExampleResult.failed(), path: nil).render().contains("Shards"))
    }

    @Test(arguments: [nil, ExampleResult.hostileText])
    func everyFormTakesAResultOfShards(hostile: String?) throws {
        let document = try ResultDocument(json: Self.document(hostile: hostile).json())
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("id=\"shards\"") && page.contains("left nothing") && !page.contains("d <script>"))
        let forms = [
            TextSummary(of: document, path: nil, width: 60).render(), page, MarkdownSummary(of: document).render(),
            JUnitReport(of: document).xml(), HistogramLog(of: document).render(), SecondsTable(of: document).render(),
        ]
        for (place, text) in forms.enumerated() {
            let controls = text.unicodeScalars.filter { $0.value < 0x20 && ![0x09, 0x0A, 0x0D].contains($0.value) }
            #expect(controls.isEmpty, "\(place)")
        }
        #expect(MarkdownSummary(of: document).render().contains("Shards: 1 of 3 whole"))
        #expect(JUnitReport(of: document).xml().contains("shards are missing"))
    }

    @Test func aRunWithoutAllItsShardsIsNotCompared() throws {
        var document = try Self.document()
        document.run.interrupted = true
        let side = ReleaseComparison.Side(
            inputs: ["a"],
            runs: [try RunFigures(json: document.json(), path: "a", distributions: [])]
        )
        let comparison = ReleaseComparison().compare(side, against: side)
        #expect(comparison.comparability.unfitRuns.contains { $0.aspect == "interrupted" })
    }

    @Test func ofMoreShardsThanHaveRoomThoseThatAreOddComeFirst() throws {
        var document = try Self.document()
        document.shards = try (0..<1_000).map { index in
            var shard = try #require(document.shards?[0])
            shard.index = index
            if index == 777 { shard.state = .cutOff }
            return shard
        }
        let table = try #require(ShardTable(document))
        #expect(table.rows.count == ShardTable.limit)
        #expect(table.rows.last?.first == "777" && table.rows.last?.last == "cut off")
        #expect(table.title == "Shards: 999 of 1000 whole and within their budget; 100 of them are shown")
    }
}
