import Comparison
import Foundation
import Report
import Results
import TestSupport
import Testing
import Values

@Suite struct CapacitySchemaTests {
    private func complaints(_ document: CapacityDocument, _ change: (inout [String: Any]) -> Void = { _ in }) throws
        -> String
    { try ShippedSchema.complaints(by: CapacityDocument.jsonSchema(), about: document.json(), change) }

    @Test func aFullDocumentMatchesTheShippedSchema() throws {
        let document = try ExampleResult.capacity()
        #expect(try complaints(document) == "")
        #expect(try CapacityDocument(json: document.json()) == document)
    }

    @Test func aSearchThatJustBeganMatchesTheShippedSchema() throws {
        let example = try ExampleResult.capacity()
        var asked = example.asked
        (asked.quantity, asked.viewers, asked.watchMaximumSeconds) = (.lead, 500, 1_800)
        let document = CapacityDocument(asked: asked, search: example.search)
        #expect(try complaints(document) == "")
        #expect(try CapacityDocument(json: document.json()) == document)
    }

    @Test func theSchemaRefusesWhatItDoesNotKnow() throws {
        let document = try ExampleResult.capacity()
        #expect(try complaints(document) { $0["surprise"] = 1 }.contains("surprise"))
        #expect(try complaints(document) { $0["answer"] = nil }.contains("'answer' is a required property"))
    }
}
