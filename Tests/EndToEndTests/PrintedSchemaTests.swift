import Foundation
import TestSupport
import Testing

/// The schemas that `podswarm result schema` prints know each member of what podswarm prints.
@Suite(.fewAtOnce) struct PrintedSchemaTests {
    private static let results = GoldenFile.result.deletingLastPathComponent().path

    @Test(arguments: [
        ("--bill", ["plan", "quick", "--json"]),
        ("--sizing", ["plan", "scale", "--json", "--viewers", "1500", "--machine", "cores=4", "--shards", "auto"]),
        ("--lint", ["lint", "Tests/EndToEndTests/Transcripts/Files/legal.m3u8", "--format", "json"]),
        ("--results", ["results", results, "--json"]),
    ])
    func aMemberMoreOrARequiredOneLessIsAgainstIt(option: String, command: [String]) async throws {
        let arguments = command.map { $0.hasPrefix("Tests/") ? PackageFolder.file($0).path : $0 }
        let document = Data(try await PodswarmExecutable.run(arguments).output.utf8)
        let schema = Data(try await PodswarmExecutable.run(["result", "schema", option]).output.utf8)
        #expect(try ShippedSchema.complaints(by: schema, about: document) == "")
        #expect(try ShippedSchema.complaints(by: schema, about: document) { $0["other"] = 1 } != "")
        let members = try JSONSerialization.jsonObject(with: schema)
        for name in try #require(JSONExpectation.value(at: "required", in: members) as? [String]) {
            let less = try ShippedSchema.complaints(by: schema, about: document) { $0[name] = nil }
            #expect(less.contains("'\(name)'"), "\(name): \(less)")
        }
    }
}
