import Foundation
import Report
import TestSupport
import Testing
import Values

@testable import Comparison

@Suite struct RunListDocumentTests {
    private static func example() throws -> RunListDocument {
        var run = try RunRow(json: Data(contentsOf: GoldenFile.result), path: "quick/a.json")
        run.workloadDigest = "sha256:00"
        var sound = run
        (sound.path, sound.doubt, sound.reason, sound.workloadDigest, sound.viewers) = ("b.json", nil, nil, nil, nil)
        let capacity = try RunRow(json: Data(contentsOf: GoldenFile.capacity), path: "c.json")
        let list = RunList(
            rows: [run, sound, capacity],
            leftOut: [LeftOutFile(path: "none.json", reason: "no schema")]
        )
        return RunListDocument(list)
    }

    private func complaints(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> String {
        try ShippedSchema.complaints(by: RunListDocument.jsonSchema(), about: Self.example().json(), change)
    }

    @Test func aListMatchesTheShippedSchema() throws { #expect(try complaints() == "") }

    @Test func theSchemaRefusesWhatItDoesNotKnow() throws {
        #expect(try complaints { $0["surprise"] = 1 }.contains("surprise"))
        #expect(try complaints { $0["left_out"] = nil }.contains("'left_out' is a required property"))
        let damaged = try complaints { document in
            var runs = document["runs"] as? [[String: Any]] ?? []
            for index in runs.indices { (runs[index]["outcome"], runs[index]["due"]) = ("lost", "many") }
            document["runs"] = runs
        }
        #expect(damaged.contains("runs/0/outcome") && damaged.contains("runs/0/due"), "\(damaged)")
    }

    @Test func theSchemaKnowsEveryOutcomeAndFigure() throws {
        let schema = String(decoding: try RunListDocument.jsonSchema(), as: UTF8.self)
        for name in RunFilter.outcomes + RunRow.figureNames { #expect(schema.contains("\"\(name)\""), "\(name)") }
    }
}
