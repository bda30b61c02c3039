import Foundation
import Values

struct Plot: Sendable {
    /// For screen readers.
    var name: String
    /// Pixels.
    var height: Double
    /// From the left to the right.
    var across: any Scale = LinearScale(0, 1)
    /// From the bottom to the top.
    var up: any Scale = LinearScale(0, 1)
    var horizontalTicks: [Tick] = []
    /// Fractions from the bottom.
    var verticalTicks: [Tick] = []
    /// Drawn in units: 1,000 across, `height` down.
    var shapes = Drawing()
    /// In fractions of the width.
    var marks = Drawing()
    var readings: Readings?
    var style = ""

    static let width = 1_000.0
    private static let labelHeight = 18.0

    static func x(_ fraction: Double) -> Double { fraction * width }

    /// Fraction of the width.
    func place(_ value: Double) -> Double { across.fraction(of: value) }

    func y(_ value: Double) -> Double { height - up.fraction(of: value) * height }

    /// In units of `shapes`.
    func point(_ value: Double, _ height: Double) -> (x: Double, y: Double) { (Self.x(place(value)), y(height)) }

    mutating func curve(_ points: [(value: Double, height: Double)?], _ style: String) {
        shapes.shape(VectorPath.through(points.map { $0.map { point($0.value, $0.height) } }), style)
    }

    func markup() -> Markup {
        let below = horizontalTicks.isEmpty ? 2 : Self.labelHeight
        let name = HTMLText.escaped(name)
        var text = "<div class=\"plot \(HTMLText.escaped(style))\">"
        text += "<svg role=\"img\" aria-label=\"\(name)\" height=\"\(Coordinate.text(height + below))\""
        text += " data-h=\"\(Coordinate.text(height))\"><title>\(name)</title>"
        text += grid().markup
        if !shapes.markup.isEmpty {
            text += "<svg width=\"100%\" height=\"\(Coordinate.text(height))\" preserveAspectRatio=\"none\""
            text += " viewBox=\"0 0 1000 \(Coordinate.text(height))\">\(shapes.markup)</svg>"
        }
        text += marks.markup + "</svg>"
        if let readings, !readings.places.isEmpty {
            text += "<script type=\"application/json\">\(readings.scriptData)</script>"
        }
        return Markup(trusted: text + "</div>")
    }

    private func grid() -> Drawing {
        var grid = Drawing()
        for tick in verticalTicks {
            let top = height - tick.fraction * height
            grid.horizontal(y: top, "gr")
            grid.leftLabel(tick.label, y: top + 3.5)
        }
        grid.horizontal(y: height, "ax")
        for (index, tick) in horizontalTicks.enumerated() {
            let isLast = tick.fraction > 0.97
            grid.vertical(at: tick.fraction, from: height, to: height + 4, "ax")
            let place = tick.fraction < 0.02 ? "xl s" : isLast ? "xl e" : "xl"
            grid.text(tick.label, at: tick.fraction, y: height + 16, index % 2 == 1 ? place + " o" : place)
        }
        return grid
    }
}

/// Values that a chart shows at each position of the pointer or the arrow keys.
struct Readings: Codable, Sendable, Equatable {
    struct Line: Codable, Sendable, Equatable {
        var name: String
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
    /// Safe inside a script element, whatever the texts contain.
    static func text(of value: some Encodable) -> String {
        guard let data = try? DocumentEncoding([.sortedKeys, .withoutEscapingSlashes]).encode(value) else {
            return "{}"
        }
        // JSON itself has no control characters.
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
