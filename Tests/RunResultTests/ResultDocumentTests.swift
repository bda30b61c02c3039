import ExampleRuns
import Foundation
import JSON
import RunResult
import TestSupport
import Testing

@Suite struct ResultDocumentTests {
    @Test func aDocumentReadsBackAsItWasWritten() throws {
        let document = try ExampleRun.document()
        #expect(try ResultDocument(json: document.json()) == document)
    }

    @Test func equalDocumentsAreEqualByteForByte() throws {
        #expect(try ExampleRun.document().json() == ExampleRun.document().json())
    }

    @Test func keysAreSortedAndTheFileEndsInALineFeed() throws {
        let text = String(decoding: try ExampleRun.document().json(), as: UTF8.self)
        let top = text.split(separator: "\n").filter { $0.hasPrefix("  \"") }.map { $0.prefix { $0 != ":" } }
        #expect(top.count == 16)
        #expect(top == top.sorted())
        #expect(text.hasSuffix("}\n"))
    }

    @Test func theExampleSaysWhatHappened() throws {
        let document = try ExampleRun.document()
        #expect(document.schema == "podswarm.result" && document.schemaVersion == 2)
        #expect(document.podswarmVersion == "0.1.0")
        #expect(document.verdict.outcome == .failed && document.verdict.exitCode == 1)
        #expect(document.breaks.due == 99 && document.breaks.onTime == 96)
        #expect(
            document.findings.map(\.code) == [
                "break_identifier_split", "pod_mismatch", "registration_without_stream_id",
            ]
        )
        #expect(document.findings.first?.occurrences.first?.shares.map(\.viewersPercent) == [80, 20])
        #expect(document.requests["pod_manifest"]?.outcomes == ["connection_reset": 1, "http_200": 98, "http_503": 1])
        #expect(document.requests["segment"]?.latencies.isEmpty == true)
        #expect(document.events?.scheduled == 100 && document.events?.unaccounted == 0)
        #expect(document.audience?.personas.map(\.breaks.due) == [60, 39])
        #expect(document.audience?.personas.map(\.viewers) == [60, 40])
        #expect(document.breaks.each.first?.personas?.map(\.onTime) == [58, 38])
        #expect(document.breaks.discovery?.maximumMicroseconds == 1_980_000)
        #expect(document.playback?.stalledMilliseconds == 1_480)
        #expect(document.thresholds.map(\.passed) == [false, true, false])
        #expect(document.reconciliation?.agrees == true)
    }

    /// Fields that came later are missing in what earlier versions wrote.
    @Test func aResultOfAnEarlierVersionReadsBack() throws {
        func without(_ keys: Set<String>, _ value: Any) -> Any {
            if let object = value as? [String: Any] {
                return object.filter { !keys.contains($0.key) }.mapValues { without(keys, $0) }
            }
            return (value as? [Any])?.map { without(keys, $0) } ?? value
        }
        let now = try ExampleRun.document()
        let object = try JSONSerialization.jsonObject(with: now.json())
        let later: Set = [
            "carried", "repeated", "send_lateness", "pods_not_kept", "events", "playback", "audience", "personas",
            "discovery", "limited_by_machine", "generator_waits", "origin_waits", "core_wait_us",
            "bad_break_seconds_share", "generator_wait_max_us", "origin_wait_max_us",
        ]
        let old = without(later, object)
        let document = try ResultDocument(json: JSONSerialization.data(withJSONObject: old))
        #expect(document.requests["playlist"]?.carried == nil)
        #expect(document.requests["playlist"]?.repeated == nil)
        #expect(document.breaks.each.first?.sendLateness == nil)
        #expect(document.breaks.each.first?.podsNotKept == nil)
        #expect(document.events == nil && document.playback == nil && document.audience == nil)
        #expect(document.breaks.each.first?.personas == nil && document.breaks.each.first?.discovery == nil)
        #expect(document.health.generatorWaits == nil && document.health.originWaits == nil)
        #expect(document.health.limitedByMachine == nil && document.health.budget.coreWaitMicroseconds == nil)
        #expect(document.series.points.allSatisfy { $0.generatorWaitMicroseconds == nil })
        #expect(document.verdict == now.verdict)
        #expect(document.requests["playlist"]?.latencies == now.requests["playlist"]?.latencies)
    }

    @Test func everySentRequestStandsUnderItsCarrierAndInLateness() throws {
        let document = try ExampleRun.document()
        for (name, kind) in document.requests {
            let lateness = kind.latencies["lateness"]
            let sent = (lateness?.count ?? 0) + (lateness?.outOfRange ?? 0)
            #expect(kind.carried?.values.reduce(0, +) == sent, "\(name)")
        }
        #expect(document.requests["playlist"]?.carried == ["exchange": 1_800, "curl": 200])
        #expect(document.requests["playlist"]?.repeated == 4)
        let manifests = try #require(document.breaks.each.first?.sendLateness)
        #expect(manifests.count == document.requests["pod_manifest"]?.count)
        #expect(document.breaks.each.first?.podsNotKept == 0)
    }

    @Test(arguments: [
        (#"{"schema":"other","schema_version":1}"#, ResultDocument.ReadingError.otherDocument(schema: "other")),
        (#"{"schema":"podswarm.result","schema_version":3}"#, .otherVersion(3)),
    ])
    func anotherDocumentIsRefusedByName(json: String, expected: ResultDocument.ReadingError) {
        let error = #expect(throws: ResultDocument.ReadingError.self) { try ResultDocument(json: Data(json.utf8)) }
        #expect(error == expected)
    }

    @Test func whatNestsDeeperThanAResultIsRefusedBeforeItIsDecoded() throws {
        let nested = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        let error = #expect(throws: ResultDocument.ReadingError.self) { try ResultDocument(json: Data(nested.utf8)) }
        #expect("\(try #require(error))" == "not a podswarm result: it is nested deeper than 64 levels")
    }

    @Test(arguments: ["", "[]", "{}", "nonsense", #"{"schema":"podswarm.result","schema_version":1}"#])
    func aDamagedDocumentIsAnError(json: String) {
        #expect(throws: DecodingError.self) { try ResultDocument(json: Data(json.utf8)) }
    }

    @Test func theWrittenFormIsPinned() throws {
        try GoldenFile.expect(String(decoding: ExampleRun.document().json(), as: UTF8.self), at: GoldenFile.resultPath)
    }
}

/// What is said of a file that is not of the form of a result.
@Suite struct DecodingProblemTests {
    private struct Example: Decodable {
        var run: [String: Int]
    }

    private static func problem(_ json: String) throws -> String {
        try #require(throws: DecodingError.self) { try JSONDecoder().decode(Example.self, from: Data(json.utf8)) }
            .problem(in: Data(json.utf8))
    }

    @Test func itSaysWhere() throws {
        #expect(try Self.problem("{}") == "run is missing")
        #expect(try Self.problem(#"{"run": {"a": "b"}}"#) == "run.a has an unexpected form")
        #expect(try Self.problem("[") == "it is not JSON from line 1, column 2 on")
        #expect(try Self.problem("{\n  \"run\": nul}") == "it is not JSON from line 2, column 10 on")
        #expect(try Self.problem("[]") == "it is not JSON of the expected form")
    }

    @Test func namesOfTheFileSteerNoTerminal() throws {
        let name = #"x\u001b[31m\n"# + String(repeating: "y", count: 100)
        let words = try Self.problem(#"{"run": {"\#(name)": "b"}}"#)
        #expect(words.hasPrefix("run.x [31m yy") && words.utf8.count < 120)
    }
}
