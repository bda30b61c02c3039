import Comparison
import Foundation
import Results
import TestSupport
import Testing
import Values

@Suite struct RunRowTests {
    private func row(_ changes: [String: Any?] = [:], of file: URL = GoldenFile.result) throws -> RunRow {
        try RunRow(json: StoredResult(file).json(changes), path: "quick/a.json")
    }

    private static var sound: [String: Any?] {
        [
            "health.within_budget": true, "health.suspect": false, "run.interrupted": false, "run.aborted_by": nil,
            "run.shard": nil, "shards": nil, "verdict.outcome": "passed",
        ]
    }

    @Test func aRowSaysWhatItsResultSays() throws {
        let document = try ResultDocument(json: Data(contentsOf: GoldenFile.result))
        let row = try row()
        #expect(row.profile == document.run.profile)
        #expect(row.profileDigest == document.run.profileDigest)
        #expect(row.workloadDigest == document.run.workloadDigest)
        #expect(row.viewers.map(Double.init) == document.run.asked.first { $0.name == "viewers" }?.requested)
        #expect(row.startedAtMicroseconds == document.run.startedAtMicroseconds)
        #expect(row.endedAtMicroseconds == document.run.endedAtMicroseconds)
        #expect(row.labels == document.run.labels)
        #expect(row.outcome == document.verdict.outcome.rawValue)
        #expect(row.reason == document.verdict.reasons.first)
        #expect(row.breaks == document.breaks.count)
        #expect(row.due == Int64(document.breaks.due))
        #expect(row.onTime == Int64(document.breaks.onTime))
        let grave = document.findings.filter { !$0.isAdvice }
        #expect(row.findings == Int64(grave.reduce(0) { $0 + $1.count }))
        #expect(row.findingCodes == grave.map(\.code))
        #expect(row.requests == Int64(document.requests.values.reduce(0) { $0 + $1.count }))
        #expect(row.errors == Int64(document.requests.values.reduce(0) { $0 + $1.errors }))
        let pod = document.requests["pod_manifest"]?.latencies["response"]?.p99Microseconds
        #expect(row.figuresMicroseconds["pod_manifest.response.p99"] == pod.map(Double.init))
    }

    /// Rows and `podswarm trend` must not disagree on which runs may be held against each other.
    @Test func machineAndDoubtAreThoseOfHistories() throws {
        let json = try StoredResult().json(["health.within_budget": false, "run.interrupted": false, "run.shard": nil])
        let row = try RunRow(json: json, path: "a.json")
        let document = try #require(TrendAnalysis().document(of: [RunFigures(json: json, path: "a.json")]))
        #expect(row.hostClass == document.group.hostClass)
        #expect(row.doubt == document.leftOut.first?.reason)
    }

    @Test func kindsAreTold() throws {
        let kinds: [(RunRow.Kind, [String: Any?])] = [
            (.soak, ["drift": [["verdict": "steady"]]]),
            (.shard, ["run.shard": ["run_id": "f", "index": 1, "count": 4] as [String: Any]]),
            (.merged, ["shards": [["index": 0, "state": "ended"] as [String: Any]]]),
            (.searched, ["run.labels": ["capacity": "s1"]]), (.run, ["drift": [String]()]),
        ]
        for (kind, changes) in kinds {
            var all = Self.sound
            all["drift"] = .some(nil)
            for (name, value) in changes { all[name] = value }
            let row = try row(all)
            #expect(row.kind == kind)
            #expect((row.doubt == nil) == (kind != .shard && kind != .searched), "\(kind)")
        }
    }

    @Test func whatDidNotEndByItselfIsTold() throws {
        var changes = Self.sound
        changes["run.interrupted"] = true
        changes["verdict.outcome"] = "interrupted"
        changes["run.recovered"] = ["intervals": 3, "dropped_bytes": 0, "reason": "cut off"] as [String: any Sendable]
        let row = try row(changes)
        #expect(row.isInterrupted)
        #expect(row.isRecovered)
        #expect(row.doubt == "interrupted before its end")
    }

    @Test func aSearchForACapacityIsARow() throws {
        let row = try row([:], of: GoldenFile.capacity)
        #expect(row.kind == .capacity)
        #expect(row.outcome == "found")
        #expect(row.reason?.contains("2,140 viewers") == true)
        #expect(!row.isInterrupted)
        #expect(try self.row(["state": "running"], of: GoldenFile.capacity).isInterrupted)
    }

    @Test(arguments: [
        ("{}", "schema is missing"), ("[1]", "not JSON of the expected form"), ("no", "not JSON"), ("", "not JSON"),
        ("{\"schema\":\"x\",\"schema_version\":1}", "its schema is 'x'"),
        ("{\"schema\":\"podswarm.result\",\"schema_version\":99}", "its schema version is 99"),
        ("{\"schema\":\"podswarm.result\",\"schema_version\":1}", "a damaged podswarm result"),
        ("{\"schema\":\"podswarm.result\",\"schema_version\":2}", "a damaged podswarm result"),
        ("{\"schema\":\"podswarm.capacity\",\"schema_version\":1}", "a damaged capacity result"),
        (String(repeating: "[", count: 100), "nested deeper"),
    ])
    func whatIsNoResultIsSaid(text: String, words: String) throws {
        let refusal = #expect(throws: RunFigures.ReadingError.self) {
            try RunRow(json: Data(text.utf8), path: "a.json")
        }
        #expect(refusal?.description.contains(words) == true, "\(String(describing: refusal))")
    }

    /// Every beginning of a result is refused, and none traps.
    @Test func halfAResultIsNone() throws {
        let json = try StoredResult().json()
        for length in stride(from: 0, to: json.count - 1, by: max(1, json.count / 400)) {
            #expect(throws: RunFigures.ReadingError.self) { try RunRow(json: json.prefix(length), path: "a.json") }
        }
    }

    @Test(arguments: [
        "run.started_at_us", "breaks.due", "breaks.on_time", "run.labels", "requests", "findings", "run.host",
    ])
    func strangeValuesNeverTrap(field: String) throws {
        let strange: [Any] = ["x", -1e300, 1e300, NSNull(), [1, [2]], ["count": "many"], true]
        for value in strange { _ = try? row([field: value]) }
        let far = try row(["run.started_at_us": 1e18])
        #expect(far.startedAtMicroseconds <= 253_402_300_799_999_999)
    }
}
