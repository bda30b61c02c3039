import TestSupport
import Testing

@testable import Values

@Suite struct JSONLimitsTests {
    private func read(_ text: String, within limits: JSONLimits = .answer) throws -> JSONValue {
        try Array(text.utf8).withUnsafeBytes { try JSONValue(parsing: $0, within: limits) }
    }

    private func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    @Test func depthIsBounded() {
        #expect(throws: Never.self) { try read(nested(128)) }
        #expect(throws: JSONError.tooDeep) { try read(nested(129)) }
    }

    @Test func objectsAndArraysCountAlikeForTheDepth() {
        #expect(throws: Never.self) { try read(nested(64, "{\"a\":[", "]}")) }
        #expect(throws: JSONError.tooDeep) { try read(nested(65, "{\"a\":[", "]}")) }
    }

    @Test func valuesAreBounded() {
        let limits = JSONLimits(bytes: 1000, depth: 9, values: 5)
        #expect(throws: Never.self) { try read("[1,2,3,4]", within: limits) }
        #expect(throws: JSONError.tooManyValues) { try read("[1,2,3,4,5]", within: limits) }
        #expect(throws: JSONError.tooManyValues) { try read("[[],[],[]]", within: limits) }
        #expect(throws: Never.self) { try read(#"{"a":1,"b":2,"c":3,"d":4}"#, within: limits) }
        #expect(throws: JSONError.tooManyValues) { try read(#"{"a":1,"b":2,"c":3,"d":4,"e":5}"#, within: limits) }
    }

    @Test func bytesAreBounded() {
        let limits = JSONLimits(bytes: 4, depth: 9, values: 5)
        #expect(throws: Never.self) { try read("1234", within: limits) }
        #expect(throws: JSONError.tooLarge) { try read("12345", within: limits) }
    }

    @Test func whatStandsInTextsIsNotCounted() {
        let limits = JSONLimits(bytes: 1000, depth: 1, values: 3)
        #expect(throws: Never.self) { try read(#"["[[{{,,\\\"[[,,","\\"]"#, within: limits) }
    }

    /// Nothing is made of a text before all of it, or as much of it as is needed, was held against the limits.
    @Test func whatExceedsALimitIsRefusedWhereItDoes() throws {
        let limits = JSONLimits(bytes: 1 << 20, depth: 4, values: 8)
        for text in [String(repeating: "[", count: 1 << 19), String(repeating: "1,", count: 1 << 19)] {
            #expect(throws: JSONError.self) { try read(text, within: limits) }
        }
        #expect(throws: JSONError.notJSON) {
            try read("[[[[\"" + String(repeating: "[", count: 1 << 19), within: limits)
        }
    }

    /// The reader goes on and never back.
    @Test(arguments: [
        "[" + String(repeating: "1,", count: 50_000) + "1]",
        "[" + String(repeating: "[],", count: 50_000) + "1]",
        "{" + String(repeating: "\"a\":{},", count: 50_000) + "\"b\":1}",
        "\"" + String(repeating: "a", count: 500_000) + "\"",
        "\"" + String(repeating: "\\u0041", count: 100_000) + "\"",
        String(repeating: "7", count: 500_000), String(repeating: " ", count: 500_000) + "1",
    ])
    func everyByteIsReadOnce(_ text: String) throws {
        try Array(text.utf8).withUnsafeBytes { bytes in
            #expect(JSONLimits.answer.excess(of: bytes) == nil)
            var reader = JSONReader(bytes)
            _ = try reader.document()
            #expect(reader.position == bytes.count)
        }
    }

    @Test func timeGrowsWithTheLength() throws {
        try LinearTime.expect(
            of: 200_000,
            make: { Array(("[" + String(repeating: "1,", count: $0) + "1]").utf8) },
            work: { text in try text.withUnsafeBytes { try JSONValue(parsing: $0, within: .answer) } }
        )
        try LinearTime.expect(
            of: 40_000,
            make: { count in Array(("{" + (0..<count).map { "\"\($0)\":{}" }.joined(separator: ",") + "}").utf8) },
            work: { text in try text.withUnsafeBytes { try JSONValue(parsing: $0, within: .answer) } }
        )
    }

    @Test func eachLimitIsToldByItsNumber() {
        let words = JSONError.allCases.map { JSONLimits.answer.words(for: $0) }
        #expect(
            words == [
                "not JSON", "larger than 16 MiB", "nested deeper than 128 levels", "JSON of more than 250000 values",
            ]
        )
    }
}
