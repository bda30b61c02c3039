import Testing

@testable import Values

@Suite struct JSONReaderTests {
    private func read(_ text: String, within limits: JSONLimits = .answer) throws -> JSONValue {
        try read(Array(text.utf8), within: limits)
    }

    private func read(_ bytes: [UInt8], within limits: JSONLimits = .answer) throws -> JSONValue {
        try bytes.withUnsafeBytes { try JSONValue(parsing: $0, within: limits) }
    }

    @Test func readsEveryKindOfValue() throws {
        let value = try read(#" { "a" : [ 1 , -2.5e1, "x" , true, false, null, {}, [] ] , "b": {"c":"d"} } "#)
        let list: [JSONValue] = [
            .number(1), .number(-25), .string("x"), .boolean(true), .boolean(false), .null, .object(JSONObject()),
            .array([]),
        ]
        #expect(value.members["a"] == .array(list))
        #expect(value.members["b"]?.members["c"]?.text == "d")
        #expect(value.members["c"] == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("1234567890123456789", 1_234_567_890_123_456_768), ("0.5", 0.5),
            ("123456789012345", 123_456_789_012_345), ("1e3", 1000), ("1E+3", 1000), ("25e-1", 2.5),
            ("1e400", .infinity), ("-1e400", -.infinity), ("1e-400", 0),
        ] as [(String, Double)]
    )
    func readsNumbers(_ text: String, _ number: Double) throws {
        #expect(try read(text) == .number(number))
    }

    @Test(arguments: [
        (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u00E9é""#, "ééé"),
        (#""a\ud83d\ude00b""#, "a😀b"), (#""\u0000""#, "\0"),
    ])
    func readsTexts(_ text: String, _ expected: String) throws {
        #expect(try read(text) == .string(expected))
    }

    /// As Foundation's decoder did where it was asked for any value: such a text is as good as none.
    @Test(arguments: [#""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\ud83d\ud83d\ude00""#])
    func halfOfASurrogatePairIsNoText(_ text: String) throws {
        #expect(try read(text) == .null)
        #expect(try read("{\(text):1,\"a\":2}") == .object(JSONObject([.init(name: "a", value: .number(2))])))
    }

    @Test func bytesThatAreNoUTF8AreNoText() throws {
        #expect(try read([0x22, 0xFF, 0x22]) == .null)
        #expect(try read([0x22, 0x5C, 0x6E, 0xC3, 0x22]) == .null)
    }

    /// To compare such texts takes the square of their length.
    @Test func marksWithoutEndAreNoText() throws {
        let marks = String(repeating: "\u{301}\u{316}", count: 15)
        #expect(try read("\"a\(marks)b\(marks)\"").text == "a\(marks)b\(marks)")
        #expect(try read("\"a\(marks)\u{301}\"") == .null)
        #expect(try read("\"" + String(repeating: "\\u0301\\u0316", count: 500_000) + "\"") == .null)
    }

    @Test func aByteOrderMarkIsPassedOver() throws {
        #expect(try read([0xEF, 0xBB, 0xBF, 0x37]) == .number(7))
    }

    @Test func ofSeveralMembersOfOneNameTheFirstCounts() throws {
        #expect(try read(#"{"a":1,"a":2}"#).members["a"] == .number(1))
    }

    @Test func namesAreComparedByteByByte() throws {
        let value = try read(#"{"e\u0301":1}"#)
        #expect(value.members["e\u{301}"] == .number(1))
        #expect(value.members["\u{e9}"] == nil)
    }

    @Test(arguments: [
        "", " ", "[", "{", "]", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}",
        "{1:2}", "{a:1}", "\"", "\"\\", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "\"\u{1}\\n\"",
        "\"\\n\u{1}\"", "01", "-", "-01", "+1", ".5", "1.", "1e", "1e+", "0x1", "tru", "nul", "falsey", "True", "1 2",
        "[] x", "NaN", "Infinity", "'a'", "// a\n1", "[1}", "{\"a\":1]", "\u{feff}\u{feff}1",
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: JSONError.notJSON) { try read(text) }
    }

    @Test func numbersMayBeText() throws {
        #expect(try read(#""2.5""#).number == 2.5)
        #expect(try read("\"" + String(repeating: "1", count: 2_000) + "\"").number == nil)
    }
}
