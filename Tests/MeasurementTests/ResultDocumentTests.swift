import Foundation
import Measurement
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
        #expect(top.count == 13)
        #expect(top == top.sorted())
        #expect(text.hasSuffix("}\n"))
    }

    @Test func theExampleSaysWhatHappened() throws {
        let document = try ExampleRun.document()
        #expect(document.schema == "podswarm.result" && document.schemaVersion == 1)
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
        #expect(document.thresholds.map(\.passed) == [false, true, false])
        #expect(document.reconciliation?.agrees == true)
    }

    @Test(arguments: [
        (#"{"schema":"other","schema_version":1}"#, ResultDocument.ReadingError.otherDocument(schema: "other")),
        (#"{"schema":"podswarm.result","schema_version":2}"#, .otherVersion(2)),
    ])
    func anotherDocumentIsRefusedByName(json: String, expected: ResultDocument.ReadingError) {
        let error = #expect(throws: ResultDocument.ReadingError.self) { try ResultDocument(json: Data(json.utf8)) }
        #expect(error == expected)
    }

    @Test(arguments: ["", "[]", "{}", "nonsense", #"{"schema":"podswarm.result","schema_version":1}"#])
    func aDamagedDocumentIsAnError(json: String) {
        #expect(throws: DecodingError.self) { try ResultDocument(json: Data(json.utf8)) }
    }

    @Test func theWrittenFormIsPinned() throws {
        let golden = TestPython.root.appending(path: "Tests/MeasurementTests/Goldens/result.json")
        let json = try ExampleRun.document().json()
        let isRecording = ProcessInfo.processInfo.environment["PODSWARM_RECORD_GOLDENS"] == "1"
        guard !isRecording, let expected = try? Data(contentsOf: golden) else {
            try FileManager.default.createDirectory(
                at: golden.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try json.write(to: golden)
            if !isRecording { Issue.record("no golden file was there; it is written now") }
            return
        }
        #expect(String(decoding: json, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    }
}
