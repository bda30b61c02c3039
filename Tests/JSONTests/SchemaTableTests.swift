import Foundation
import Testing
import Values

@Suite struct SchemaTableTests {
    private func object(_ lines: String) throws -> [String: Any] {
        let json = Data(try SchemaTable.json(of: "podswarm thing\nWhat it is.\n" + lines).utf8)
        return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    private func text(_ value: Any?) throws -> String {
        let value = try #require(value)
        let json = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: json, as: UTF8.self)
    }

    @Test(arguments: [
        ("boolean: Whether.", #"{"description":"Whether.","type":"boolean"}"#),
        ("text: One: two.", #"{"description":"One: two.","type":"string"}"#),
        (#"text 1...200 /^\d+$/"#, #"{"maxLength":200,"minLength":1,"pattern":"^\\d+$","type":"string"}"#),
        ("count", #"{"minimum":0,"type":"integer"}"#), ("integer ...7", #"{"maximum":7,"type":"integer"}"#),
        ("number 0...100", #"{"maximum":100,"minimum":0,"type":"number"}"#),
        ("number or null", #"{"type":["number","null"]}"#), ("= true", #"{"const":true}"#), ("= 2", #"{"const":2}"#),
        ("= open", #"{"const":"open"}"#), ("us | % | 3", #"{"enum":["us","%",3]}"#),
        ("#point", ##"{"$ref":"#/$defs/point"}"##), ("#/properties/b", ##"{"$ref":"#/properties/b"}"##),
        ("list ...5 of text", #"{"items":{"type":"string"},"maxItems":5,"type":"array"}"#),
        (
            "list 1...\n  * count: One.",
            #"{"items":{"description":"One.","minimum":0,"type":"integer"},"minItems":1,"type":"array"}"#
        ),
        (
            "map of list of #point by x | y",
            ##"""
            {"additionalProperties":{"items":{"$ref":"#/$defs/point"},"type":"array"},\##
            "propertyNames":{"enum":["x","y"]},"type":"object"}
            """##
        ),
        ("map\n  * boolean", #"{"additionalProperties":{"type":"boolean"},"type":"object"}"#),
        (
            "object\n  b? integer: B.\n  c text",
            #"""
            {"additionalProperties":false,"properties":{"b":{"description":"B.","type":"integer"},\#
            "c":{"type":"string"}},"required":["c"],"type":"object"}
            """#
        ),
        ("object\n  b? text", #"{"additionalProperties":false,"properties":{"b":{"type":"string"}},"type":"object"}"#),
    ])
    func formsBecomeSchemas(form: String, expected: String) throws {
        let properties = try #require(try object("a " + form)["properties"] as? [String: Any])
        #expect(try text(properties["a"]) == expected)
    }

    @Test func titleAndDefinitionsStandAroundTheMembers() throws {
        let schema = try object("a #point\nb? count\n$defs\n  point number: One.\n")
        #expect(try text(schema["$defs"]) == #"{"point":{"description":"One.","type":"number"}}"#)
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["title"] as? String == "podswarm thing")
        #expect(schema["description"] as? String == "What it is.")
        #expect(try text(schema["required"]) == #"["a"]"#)
    }

    @Test(arguments: [
        "a", "a texts", "a text x", "a text 1...2 3...4", "a number or", "a list", "a list of",
        "a list of text\n  * text",
        "a map\n  b text", "a text\n  b text", "a object\n   b text", "  a text", "  ",
    ])
    func otherLinesAreMistakes(lines: String) {
        #expect(throws: SchemaTable.Mistake.self) { try self.object(lines) }
    }
}
