import ExampleRuns
import Foundation
import Results
import TestSupport
import Testing
import Values

@Suite struct ResultDocumentTests {
    @Test func aDocumentReadsBackAsItWasWritten() throws {
        let document = try ExampleRun.document()
        #expect(try ResultDocument(json: document.json()) == document)
    }

    /// Fields that came later are missing in what earlier versions wrote.
    @Test func aResultOfAnEarlierVersionReadsBackWithoutThem() throws {
        func without(_ keys: Set<String>, _ value: Any) -> Any {
            if let object = value as? [String: Any] {
                return object.filter { !keys.contains($0.key) }.mapValues { without(keys, $0) }
            }
            return (value as? [Any])?.map { without(keys, $0) } ?? value
        }
        let now = try ExampleRun.document()
        let later: Set = [
            "carried", "repeated", "send_lateness", "pods_not_kept", "events", "playback", "audience", "personas",
            "discovery", "limited_by_machine", "generator_waits", "origin_waits", "core_wait_us",
            "bad_break_seconds_share", "generator_wait_max_us", "origin_wait_max_us", "viewer_ranges", "manifests",
        ]
        let old = without(later, try JSONSerialization.jsonObject(with: now.json()))
        let document = try ResultDocument(json: JSONSerialization.data(withJSONObject: old))
        let again = String(decoding: try document.json(), as: UTF8.self)
        for key in later { #expect(!again.contains("\"\(key)\""), "\(key)") }
        #expect(document.verdict == now.verdict)
        #expect(document.requests["playlist"]?.latencies == now.requests["playlist"]?.latencies)
    }

    @Test(arguments: [
        (#"{"schema":"other","schema_version":1}"#, ResultDocument.ReadingError.otherDocument(schema: "other")),
        (#"{"schema":"podswarm.result","schema_version":3}"#, .otherVersion(3)),
    ]) func anotherDocumentIsRefusedByName(json: String, expected: ResultDocument.ReadingError) {
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
    private struct Example: Decodable { var run: [String: Int] }

    private static func problem(_ json: String) throws -> String {
        try #require(throws: DecodingError.self) { try DocumentDecoding().decode(Example.self, from: Data(json.utf8)) }
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
