import Foundation
import Values

/// Values that a chart shows at each position of the pointer or the arrow keys.
struct Readings: Codable, Sendable, Equatable {
    struct Line: Codable, Sendable, Equatable {
        var name: String
        /// The style of the line's key; empty for none.
        var style: String
        /// One text for each position; empty for no value.
        var values: [String]

        init(_ name: String, style: String = "", _ values: [String]) {
            (self.name, self.style, self.values) = (name, style, values)
        }

        private enum CodingKeys: String, CodingKey {
            case name = "n"
            case style = "k"
            case values = "v"
        }
    }

    /// Ten thousandths of the width, ascending.
    var places: [Int]
    var headings: [String]
    var lines: [Line]

    init(fractions: [Double], headings: [String], lines: [Line]) {
        places = fractions.map { Int(Clamped.integer(min(max($0, 0), 1) * 10_000)) }
        self.headings = headings
        self.lines = lines
    }

    private enum CodingKeys: String, CodingKey {
        case places = "x"
        case headings = "h"
        case lines = "s"
    }

    var scriptData: String { ScriptData.text(of: self) }
}

enum ScriptData {
    /// JSON that is safe inside a script element, whatever its texts contain.
    static func text(of value: some Encodable) -> String {
        guard let data = try? DocumentEncoding([.sortedKeys, .withoutEscapingSlashes]).encode(value) else {
            return "{}"
        }
        // Control characters can only be inside the texts: JSON itself has none.
        let json = TextLayout.printable(String(decoding: data, as: UTF8.self))
        // A browser looks for the end of the script element, and for a comment, before it parses JSON.
        guard json.utf8.contains(UInt8(ascii: "<")) else { return json }
        var bytes: [UInt8] = []
        for byte in json.utf8 {
            if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
