import Foundation

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
    ///
    /// - Parameters:
    ///   - fractions: Places from 0 to 1, ascending.
    ///   - headings: One text for each place.
    ///   - lines: What can be read there.
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
    var scriptData: String {
        guard let data = try? JSONEncoder().encode(self) else { return "{}" }
        // What steers a terminal stands in the texts alone: elsewhere JSON has none of it.
        let json = TextLayout.printable(String(decoding: data, as: UTF8.self))
        return String(
            String.UnicodeScalarView(
                json.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    scalar == "<" ? Array("\\u003c".unicodeScalars) : [scalar]
                }
            )
        )
    }
}
