import Testing

@testable import Values

@Suite struct JSONOutlineTests {
    private func read(_ text: String, _ outline: JSONOutline) throws -> JSONValue {
        try Array(text.utf8).withUnsafeBytes { try JSONValue(parsing: $0, within: .answer, keeping: outline) }
    }

    private func whole(_ text: String) throws -> JSONValue {
        try Array(text.utf8).withUnsafeBytes { try JSONValue(parsing: $0, within: .answer) }
    }

    private static let text = #"{"a": [1, {"b": "}\"]"}], "c": {"d": 2.5, "e": null}, "f": "x\\", "g": -1e2}"#

    @Test func allIsTheWholeText() throws {
        #expect(try read(Self.text, .all) == whole(Self.text))
    }

    @Test func onlyNamedMembersAreMade() throws {
        let outline = JSONOutline.members(["c": .members(["d": .all]), "g": .all, "missing": .all, "a": .nothing])
        #expect(try read(Self.text, outline) == whole(#"{"a": null, "c": {"d": 2.5}, "g": -100}"#))
    }

    @Test func everyElementIsLookedAtAlike() throws {
        let text = #"[{"a": 1, "b": [2]}, {"b": 3}, {}]"#
        #expect(try read(text, .each(.members(["a": .all]))) == whole(#"[{"a": 1}, {}, {}]"#))
        #expect(try read(text, .each(.nothing)) == whole("[null, null, null]"))
        #expect(try read(#"{"x": [1], "y": 2}"#, .each(.nothing)) == whole(#"{"x": null, "y": null}"#))
    }

    @Test func whatIsPassedOverEndsWhereItsBracketsDo() throws {
        let outline = JSONOutline.members(["z": .all])
        for value in [
            "1", "\"x\"", "\"\\\"\"", "\"\\\\\"", "[]", "{}", "[[[]], {\"z\": 0}]", "true", "nonsense", "-1.5e-7",
        ] {
            #expect(try read("{\"a\":\(value) , \"z\":1}", outline) == whole("{\"z\":1}"), "\(value)")
            #expect(try read("{\"a\" : \(value),\"z\":1}", outline) == whole("{\"z\":1}"), "\(value)")
        }
    }

    @Test(arguments: [
        "{\"a\":", "{\"a\": [1", "{\"a\": \"x", "{\"a\": {\"b\": 1}", "{\"a\":}", "{\"a\":]}", "{\"a\": 1",
        "{\"a\": \"\\",
    ])
    func aTextThatEndsTooSoonIsNone(text: String) {
        #expect(throws: JSONError.notJSON) { try read(text, .members(["z": .all])) }
    }

    @Test func limitsHoldForWhatIsPassedOver() {
        let deep = "{\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}"
        #expect(throws: JSONError.tooDeep) { try read(deep, .members(["z": .all])) }
    }
}
