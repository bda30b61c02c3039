import Foundation
import Rules
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
        if let readings, !readings.fractions.isEmpty {
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
struct Readings: Sendable {
    /// One text for each position; empty for no value.
    typealias Line = (name: String, style: String, values: [String])

    /// Shares of the width, ascending.
    var fractions: [Double]
    var headings: [String]
    var lines: [Line]

    var scriptData: String {
        ScriptData.text {
            let tenThousandths = fractions.map { Int(Clamped.integer(min(max($0, 0), 1) * 10_000)) }
            let lines = lines.map { ["n": $0.name, "k": $0.style, "v": $0.values] as [String: Any] }
            return try JSONText.of(["x": tenThousandths, "h": headings, "s": lines])
        }
    }
}

enum ScriptData {
    /// Safe inside a script element, whatever the texts contain.
    static func text(of json: () throws -> String) -> String {
        guard let written = try? json() else { return "{}" }
        // JSON itself has no control characters.
        let json = TextLayout.printable(written)
        // A browser looks for the end of the script element, and for a comment, before it parses JSON.
        return json.utf8.contains(UInt8(ascii: "<")) ? json.replacingScalars { $0 == "<" ? "\\u003c" : nil } : json
    }
}

/// JSON whose form others decide: formats of others, and data of a page's script.
enum JSONText {
    static func of(_ members: [String: Any]) throws -> String {
        let json = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: json, as: UTF8.self)
    }
}

/// Maps values to an axis: 0 at its beginning, 1 at its end.
protocol Scale: Sendable {
    /// Values outside the axis are clamped to the nearer end.
    func fraction(of value: Double) -> Double
}

struct LinearScale: Scale, Equatable {
    let lowest: Double
    let highest: Double

    /// An empty or invalid axis becomes one unit long.
    init(_ lowest: Double, _ highest: Double) {
        let isUsable = lowest.isFinite && highest.isFinite && lowest < highest
        self.lowest = lowest.isFinite ? lowest : 0
        self.highest = isUsable ? highest : self.lowest + max(1, abs(self.lowest) / 1_000_000)
    }

    func fraction(of value: Double) -> Double {
        guard value.isFinite else { return value == .infinity ? 1 : 0 }
        // The difference of two finite numbers need not be finite.
        return min(max((value / 2 - lowest / 2) / (highest / 2 - lowest / 2), 0), 1)
    }
}

/// Values up to zero lie at the beginning.
struct LogScale: Scale, Equatable {
    let lowest: Double
    let highest: Double

    /// An empty or invalid axis becomes a decade long.
    init(_ lowest: Double, _ highest: Double) {
        self.lowest = lowest.isFinite && lowest > 0 ? lowest : 1
        self.highest = highest.isFinite && highest > self.lowest ? highest : self.lowest * 10
    }

    func fraction(of value: Double) -> Double {
        guard value > lowest else { return 0 }
        guard value < highest else { return 1 }
        return log(value / lowest) / log(highest / lowest)
    }
}

/// As in HdrHistogram's plots: each further nine has equal width.
struct NinesScale: Scale, Equatable {
    /// For example 3 for 99.9 %.
    let nines: Double

    /// Ends at the last percentile that this many samples distinguish.
    init(samples: UInt64) { nines = min(max(log10(Double(max(samples, 10))), 1), 7) }

    func reaches(_ share: Double) -> Bool { -log10(1 - share) <= nines + 0.001 }

    func fraction(of value: Double) -> Double {
        guard value < 1 else { return 1 }
        return min(max(-log10(1 - max(value, 0)) / nines, 0), 1)
    }
}

/// The fraction is from 0 to 1.
typealias Tick = (fraction: Double, label: String)

enum Ticks {
    static func values(from lowest: Double, to highest: Double, atMost count: Int) -> [Double] {
        guard lowest.isFinite, highest.isFinite, lowest < highest else { return [] }
        let rough = (highest - lowest) / Double(max(count, 2) - 1)
        let power = pow(10, log10(rough).rounded(.down))
        let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999_999 } ?? 10 * power
        return multiples(of: step, from: lowest, to: highest)
    }

    static func values(on scale: LinearScale, atMost count: Int, _ label: (Double) -> String) -> [Tick] {
        values(from: scale.lowest, to: scale.highest, atMost: count).map {
            (fraction: scale.fraction(of: $0), label: label($0))
        }
    }

    static func elapsed(seconds: Double, atMost count: Int = 7) -> [Tick] {
        guard seconds.isFinite, seconds > 0 else { return [] }
        let steps: [Double] = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400,
        ]
        let rough = seconds / Double(max(count, 2))
        let step = steps.first { $0 >= rough } ?? (rough / 86_400).rounded(.up) * 86_400
        return multiples(of: step, from: 0, to: seconds).map {
            (fraction: $0 / seconds, label: TickText.elapsed($0, of: seconds))
        }
    }

    /// Decades, and their 2 and 5 on a short axis.
    static func durations(on scale: LogScale) -> [Tick] {
        roundValues(on: scale).map { (fraction: scale.fraction(of: $0), label: TickText.duration(microseconds: $0)) }
    }

    static func counts(on scale: LogScale) -> [Tick] {
        let isNarrow = scale.highest < scale.lowest * 4
        let shown =
            isNarrow
            ? values(from: scale.lowest, to: scale.highest, atMost: 6)
            : roundValues(on: scale, factors: scale.highest < scale.lowest * 30 ? [1, 1.5, 2, 3, 5, 7] : nil)
        return shown.map { (fraction: scale.fraction(of: $0), label: TickText.count($0)) }
    }

    private static func roundValues(on scale: LogScale, factors wanted: [Double]? = nil) -> [Double] {
        let decades = log10(scale.highest / scale.lowest)
        let factors: [Double] = wanted ?? (decades < 1.3 ? [1, 2, 5] : decades < 2.6 ? [1, 3] : [1])
        var values: [Double] = []
        var power = pow(10, log10(scale.lowest).rounded(.down))
        while power <= scale.highest, values.count < 64 {
            values += factors.map { $0 * power }
            power *= 10
        }
        return values.filter { $0 >= scale.lowest * 0.999 && $0 <= scale.highest * 1.001 }
    }

    static func percentiles(on scale: NinesScale) -> [Tick] {
        let all: [(Double, String)] = [
            (0, "0"), (0.5, "50%"), (0.9, "90%"), (0.99, "99%"), (0.999, "99.9%"), (0.999_9, "99.99%"),
            (0.999_99, "99.999%"), (0.999_999, "99.9999%"),
        ]
        // On a long axis the mark of the median is too near the beginning for both.
        let shown = scale.nines > 4.5 ? all.dropFirst() : all[...]
        return shown.filter { scale.reaches($0.0) }.map { (fraction: scale.fraction(of: $0.0), label: $0.1) }
    }

    private static func multiples(of step: Double, from lowest: Double, to highest: Double) -> [Double] {
        let first = (lowest / step - 1e-6).rounded(.up)
        let last = (highest / step + 1e-6).rounded(.down)
        guard step > 0, first <= last, last - first < 1_000 else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step + 0 }
    }
}

enum TickText {
    /// For example `40 s`, `1:30`, `2:15 h`.
    static func elapsed(_ seconds: Double, of length: Double) -> String {
        let whole = Clamped.count(seconds)
        let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        if length < 90 { return "\(whole) s" }
        if length < 5_400 { return "\(whole / 60):\(two(whole % 60))" }
        if whole % 3_600 == 0 { return "\(whole / 3_600) h" }
        return "\(whole / 3_600):\(two(whole / 60 % 60)) h"
    }

    /// For example `50 µs`, `2.5 s`.
    static func duration(microseconds: Double) -> String {
        switch abs(microseconds) {
        case 0: "0"
        case ..<1_000: MetricText.number(microseconds) + " µs"
        case ..<1_000_000: MetricText.number(microseconds / 1_000) + " ms"
        default: MetricText.number(microseconds / 1_000_000) + " s"
        }
    }

    static func count(_ value: Double) -> String {
        switch abs(value) {
        case ..<1_000: MetricText.number(value)
        case ..<10_000: TextLayout.grouped(Clamped.integer(value))
        case ..<1_000_000: MetricText.number(value / 1_000) + " k"
        default: MetricText.number(value / 1_000_000) + " M"
        }
    }

    static func bytes(_ value: Double) -> String {
        switch abs(value) {
        case ..<1_000: MetricText.number(value) + " B"
        case ..<1_000_000: MetricText.rounded(value / 1_000, places: 0) + " kB"
        case ..<1_000_000_000: MetricText.rounded(value / 1_000_000, places: 0) + " MB"
        default: MetricText.rounded(value / 1_000_000_000, places: 1) + " GB"
        }
    }
}

/// How a value is written, and how it stands beside an axis.
struct Quantity: Sendable {
    let value: @Sendable (Double) -> String
    let tick: @Sendable (Double) -> String

    static let rate = Quantity(value: { MetricText.number(($0 * 10).rounded() / 10) }, tick: TickText.count)
    static let count = Quantity(value: { TextLayout.grouped(Clamped.integer($0)) }, tick: TickText.count)
    static let number = Quantity(value: MetricText.number, tick: TickText.count)
    static let cores = Quantity(value: { MetricText.rounded($0, places: 2) }, tick: TickText.count)
    static let percent = Quantity(value: MetricText.percent, tick: { MetricText.number($0) + "%" })
    static let time = Quantity(value: MetricText.time, tick: TickText.duration)
    static let bytes = Quantity(value: TickText.bytes, tick: TickText.bytes)
}
