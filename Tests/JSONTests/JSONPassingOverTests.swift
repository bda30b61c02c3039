import TestSupport
import Testing

@testable import Values

/// A value that is passed over 64 bytes at a time ends, and fails, where it would byte by byte.
@Suite struct JSONPassingOverTests {
    private static let limits = JSONLimits(bytes: 4_096, depth: 8, values: 60)

    /// The end of a value that stands at the beginning, by one byte after the other.
    private static func end(of text: [UInt8]) throws(JSONError) -> Int {
        var (open, values, position) = (0, limits.values - 1, 0)
        repeat {
            guard position < text.count else { throw .notJSON }
            switch text[position] {
            case UInt8(ascii: "\""):
                position += 1
                while position < text.count, text[position] != UInt8(ascii: "\"") {
                    position += text[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position = min(position, text.count)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                values -= 1
                if open > limits.depth { throw .tooDeep }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
            case UInt8(ascii: ","): values -= 1
            default: break
            }
            if values < 0 { throw .tooManyValues }
            position += 1
        } while open > 0
        return min(position, text.count)
    }

    private static func read(_ text: [UInt8]) -> Result<JSONValue, JSONError> {
        text.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try JSONValue(parsing: bytes, within: limits, keeping: .nothing) }
        }
    }

    private static func expected(_ text: [UInt8]) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in
            guard try text[end(of: text)...].allSatisfy({ $0 == UInt8(ascii: " ") }) else { throw .notJSON }
            return .null
        }
    }

    @Test(arguments: UInt64(0)..<40) func blocksAndBytesAgree(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("  aaaa11\"\"\"\"\\,{[}]{}é".utf8)
        for length in 1...200 {
            var text = [UInt8(ascii: seed % 2 == 0 ? "[" : "{")]
            for _ in 0..<length { text.append(letters.randomElement(using: &random) ?? 0) }
            #expect(Self.read(text) == Self.expected(text), "\(String(decoding: text, as: UTF8.self))")
            // Up to its own end it is a value.
            if let end = try? Self.end(of: text) {
                #expect(Self.read(Array(text[..<end])) == .success(.null), "\(String(decoding: text, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: [0, 1, 30, 62, 63, 64, 65, 127, 128, 129]) func textsAndEscapesMayLieAcrossBlocks(space: Int) {
        let filler = String(repeating: " ", count: space)
        for value in [
            "[\(filler)\"]\\\"]\",[]]", "{\(filler)\"\\\\\":\"}{\"}", "[\"\(filler)]\\\\\",{}]", "[\(filler)\\\"]\"]",
        ] {
            for tail in ["", String(repeating: " ", count: 200)] {
                let text = Array((value + tail).utf8)
                #expect(Self.read(text) == .success(.null), "\(value)")
            }
        }
    }

    @Test func limitsHoldAcrossBlocks() {
        let deep = Array((String(repeating: "[ ", count: 9) + String(repeating: " ]", count: 9)).utf8)
        #expect(Self.read(deep) == .failure(.tooDeep))
        let many = Array(("[" + String(repeating: "1 , ", count: 60) + "1]").utf8)
        #expect(Self.read(many) == .failure(.tooManyValues))
        let enough = Array(("[" + String(repeating: "1 , ", count: 58) + "1]").utf8)
        #expect(Self.read(enough) == .success(.null))
    }
}
