import Comparison
import Foundation
import Rehearsal
import Report
import Results
import Testing
import Tools
import Values

@Suite struct DocumentSchemaTests {
    /// A list of results is only written; its rows are types of their own.
    private struct RunListMembers: Decodable {
        var schema: String
        var schemaVersion: Int
        var podswarmVersion: String
        var runs: [RunRow]
        var leftOut: [LeftOutFile]
    }

    @Test func membersAreThoseOfTheTypes() throws {
        #expect(try SchemaProbe.differences(of: ResultDocument.self, from: ResultDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.differences(of: CapacityDocument.self, from: CapacityDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.differences(of: ComparisonDocument.self, from: ComparisonDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.differences(of: LintDocument.self, from: LintDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.differences(of: BillDocument.self, from: BillDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.differences(of: SizingDocument.self, from: SizingDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.differences(of: RunListMembers.self, from: RunListDocument.jsonSchema()) == [])
    }

    @Test func everyMemberIsDescribed() throws {
        #expect(try SchemaProbe.undescribedMembers(of: ResultDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.undescribedMembers(of: CapacityDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.undescribedMembers(of: ComparisonDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.undescribedMembers(of: LintDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.undescribedMembers(of: BillDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.undescribedMembers(of: SizingDocument.jsonSchema()) == [])
        #expect(try SchemaProbe.undescribedMembers(of: RunListDocument.jsonSchema()) == [])
    }

    private struct Example: Decodable {
        enum Kind: String, Decodable, CaseIterable { case few, many, all }

        struct Part: Decodable {
            var isWhole: Bool
            var share: Double?
        }

        var kind: Kind
        var startMicroseconds: Int
        var name: String?
        var parts: [Part]
        var counts: [String: UInt64]
    }

    private static let table = """
        example
        An example.
        kind few | many | all: Its kind.
        start_us integer: Its start.
        name? text: Its name.
        parts list of #part: Its parts.
        counts map of count: Its counts.
        $defs
          part object: A part.
            whole boolean: Whether it is whole.
            share? number 0...1: Its share.

        """

    @Test(arguments: [
        ("Its name", "A name", []), ("name? text: Its name.\n", "", [".name: not in the schema"]),
        ("    share? number 0...1: Its share.\n", "", [".parts.*.share: not in the schema"]),
        ("counts map", "more text: More.\ncounts map", [".more: not in the type"]),
        ("few | many", "few", [".kind: other values than [\"few\", \"many\", \"all\"]"]),
        ("name? text", "name text", [".name: optional in the type"]),
        ("whole boolean", "whole? boolean", [".parts.*.whole: not optional in the type"]),
    ])
    func differencesAreNamed(line: String, other: String, expected: [String]) throws {
        let table = Self.table.replacing(line, with: other)
        #expect(try SchemaProbe.differences(of: Example.self, from: Data(SchemaTable.json(of: table).utf8)) == expected)
    }

    @Test(arguments: [
        ("start_us integer", "started_us integer"), ("start_us integer", "start_us text"),
        ("few | many", "few | some | many"),
        ("whole boolean", "whole count"), ("list of #part", "#part"), ("map of count", "map of number"),
    ])
    func othersCannotBeRead(line: String, other: String) throws {
        let json = Data(try SchemaTable.json(of: Self.table.replacing(line, with: other)).utf8)
        #expect(throws: DecodingError.self) { try SchemaProbe.differences(of: Example.self, from: json) }
    }

    @Test func membersWithoutADescriptionAreNamed() throws {
        let table = Self.table.replacing(": Its name.", with: "").replacing(": Whether it is whole.", with: "")
        let json = Data(try SchemaTable.json(of: table).utf8)
        #expect(try SchemaProbe.undescribedMembers(of: json) == [".name", "$defs.part.whole"])
    }
}
