import CapacityResult
import Foundation
import JSON
import TestSupport
import Testing

@Suite struct CapacitySchemaTests {
    private static let script = """
        import json, sys, jsonschema
        with open(sys.argv[1]) as file: document, schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
            print("/".join(map(str, error.absolute_path)) + ": " + error.message[:300])
        """

    private static func example() throws -> CapacityDocument {
        try CapacityDocument(json: Data(contentsOf: GoldenFile.capacity))
    }

    private func complaints(_ document: CapacityDocument, _ change: (inout [String: Any]) -> Void = { _ in }) throws
        -> String
    {
        let parsed = try JSONSerialization.jsonObject(with: document.json())
        var object = try #require(parsed as? [String: Any])
        change(&object)
        let schema = try JSONSerialization.jsonObject(with: CapacityDocument.jsonSchema())
        let input = try JSONSerialization.data(withJSONObject: [object, schema])
        return String(decoding: try InstalledProgram.python(Self.script, input), as: UTF8.self)
    }

    @Test func aFullDocumentMatchesTheShippedSchema() throws {
        let document = try Self.example()
        #expect(try complaints(document) == "")
        #expect(try CapacityDocument(json: document.json()) == document)
    }

    @Test func aSearchThatJustBeganMatchesTheShippedSchema() throws {
        let example = try Self.example()
        var asked = example.asked
        asked.quantity = .lead
        asked.viewers = 500
        #expect(try complaints(CapacityDocument(asked: asked, search: example.search)) == "")
    }

    @Test func theSchemaRefusesWhatItDoesNotKnow() throws {
        let document = try Self.example()
        #expect(try complaints(document) { $0["surprise"] = 1 }.contains("surprise"))
        #expect(try complaints(document) { $0["answer"] = nil }.contains("'answer' is a required property"))
    }
}
