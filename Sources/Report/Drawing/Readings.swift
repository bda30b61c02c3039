import Foundation
import JSON

/// What a chart says at each place where its reader may stop, by pointer or by arrow keys.
struct Readings: Codable, Sendable, Equatable {
    /// One line of the chart.
    struct Line: Codable, Sendable, Equatable {
        var name: String
        /// The style of the line's key; empty for none.
        var style: String
        /// One text for each place; empty where there is nothing to say.
        var values: [String]

        private enum CodingKeys: String, CodingKey {
            case name = "n"
            case style = "k"
            case values = "v"
        }
    }

    /// Ten thousandths of the width, ascending.
    var places: [Int]
    /// What stands at each place: a time, a percentile.
    var headings: [String]
    var lines: [Line]

    /// Prepares the readings.
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

    /// JSON that can stand inside a script element whatever its texts hold.
    var scriptData: String { ScriptData.text(of: self) }
}

/// Data for a page's own script.
enum ScriptData {
    /// JSON that can stand inside a script element whatever its texts hold.
    static func text(of value: some Encodable) -> String {
        guard let data = try? DocumentEncoding([.sortedKeys, .withoutEscapingSlashes]).encode(value) else {
            return "{}"
        }
        // What steers a terminal stands in the texts alone: elsewhere JSON has none of it.
        let json = TextLayout.printable(String(decoding: data, as: UTF8.self))
        // A browser reads a script element's end, and the beginning of a comment, before it reads JSON.
        guard json.utf8.contains(UInt8(ascii: "<")) else { return json }
        var bytes: [UInt8] = []
        for byte in json.utf8 {
            if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
