import ExampleRuns
import Foundation
import Report
import Rules
import TestSupport
import Testing
import Values

@testable import Results

@Suite struct ResultSchemaTests {
    private func complaints(_ document: ResultDocument, _ change: (inout [String: Any]) -> Void = { _ in }) throws
        -> String
    { try ShippedSchema.complaints(by: ResultDocument.jsonSchema(), about: document.json(), change) }

    @Test func aFullDocumentMatchesTheShippedSchema() throws { #expect(try complaints(ExampleRun.document()) == "") }

    @Test func anEmptyRunMatchesTheShippedSchema() throws {
        let document = ResultDocument(
            run: ExampleRun.description(interrupted: true),
            totals: RunTotals(merging: []),
            health: HealthResult(loopCores: 1, descriptorLimit: 1_024),
            series: TimeSeries(),
            rules: [try ThresholdRule(parsing: "breaks.on_time >= 99.9%")]
        )
        #expect(try complaints(document) == "")
    }

    @Test(arguments: [1, 150]) func whoAnsweredMatchesTheShippedSchema(edges: Int) throws {
        #expect(try complaints(AnswererResultTests.document(edges: edges)) == "")
    }

    @Test func aResultOfShardsMatchesTheShippedSchema() throws {
        var document = try ExampleRun.document()
        var host = ExampleRun.host
        host.name = "edge-1"
        var run = ExampleRun.description()
        run.host = host
        var shard = ShardResult(
            index: 0,
            state: .cutOff,
            run: run,
            endedAtMicroseconds: 5,
            totals: RunTotals(merging: ExampleRun.loops()),
            health: HealthResult(loopCores: 1, descriptorLimit: 10)
        )
        shard.recovered = RecoveredMark(intervals: 0, droppedBytes: 1, reason: "the journal ends within a record")
        (shard.unresolvedLeftOut, shard.abortedBy) = (3, "errors > 5%")
        (document.shards, document.verdict.outcome) = ([shard, ShardResult(missing: 1)], .incomplete)
        (document.verdict.exitCode, document.run.shard) = (3, ShardMark(runID: "r1", index: 1, count: 2))
        document.clock = ClockResult(steps: [.init(atMilliseconds: 1, byMicroseconds: 2, shard: 1)], stepCount: 1)
        #expect(try complaints(document) == "")
        #expect(try ResultDocument(json: document.json()) == document)
    }

    @Test func theSchemaRefusesAFieldItDoesNotKnowAndAMissingOne() throws {
        let document = try ExampleRun.document()
        #expect(try complaints(document) { $0["surprise"] = 1 }.contains("surprise"))
        #expect(try complaints(document) { $0["verdict"] = nil }.contains("'verdict' is a required property"))
    }
}
