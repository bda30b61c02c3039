/// Shapes differ, so that colour is not needed.
enum Symbol: String, Sendable {
    case disc
    case cross
    case diamond

    /// Centred on the origin, eight pixels wide.
    var path: String {
        let data =
            switch self {
            case .disc: "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0"
            case .cross: "M-4-4L4 4M-4 4L4-4"
            case .diamond: "M0-5L5 0L0 5L-5 0z"
            }
        return "<path class=\"s-\(rawValue)\" d=\"\(data)\"/>"
    }

    var key: Markup {
        Markup(
            trusted:
                "<svg class=\"symbol\" width=\"14\" height=\"14\" viewBox=\"-7 -7 14 14\" aria-hidden=\"true\">\(path)</svg>"
        )
    }
}

/// SVG elements in paint order: horizontal positions are fractions of the width, vertical ones pixels.
///
/// Only `shape` uses units: a thousand to the width, stretched.
struct Drawing: Sendable {
    private(set) var markup = ""

    /// A drawing without a name is hidden from screen readers.
    func picture(_ style: String, _ name: String, height: Double) -> Markup {
        let title = HTMLText.escaped(name)
        let label = name.isEmpty ? "aria-hidden=\"true\"" : "role=\"img\" aria-label=\"\(title)\""
        return Markup(
            trusted: "<svg class=\"\(style)\" \(label) height=\"\(Coordinate.text(height))\">"
                + (name.isEmpty ? "" : "<title>\(title)</title>") + markup + "</svg>"
        )
    }

    /// The box is a thousand units wide; strokes keep their thickness.
    mutating func shape(_ path: VectorPath, _ style: String) {
        guard !path.isEmpty else { return }
        markup += "<path class=\"\(HTMLText.escaped(style))\" d=\"\(path.data)\"/>"
    }

    mutating func text(_ text: String, at fraction: Double, y: Double, _ style: String) {
        markup += "<text class=\"\(HTMLText.escaped(style))\" x=\"\(Coordinate.percent(fraction))\""
        markup += " y=\"\(Coordinate.text(y))\">\(HTMLText.escaped(text))</text>"
    }

    mutating func leftLabel(_ text: String, y: Double) {
        markup += "<text class=\"yl\" x=\"-6\" y=\"\(Coordinate.text(y))\">\(HTMLText.escaped(text))</text>"
    }

    mutating func horizontal(y: Double, _ style: String, from start: Double = 0, to end: Double = 1) {
        markup += "<line class=\"\(HTMLText.escaped(style))\" x1=\"\(Coordinate.percent(start))\""
        markup += " x2=\"\(Coordinate.percent(end))\" y1=\"\(Coordinate.text(y))\" y2=\"\(Coordinate.text(y))\"/>"
    }

    mutating func vertical(at fraction: Double, from top: Double, to bottom: Double, _ style: String) {
        let x = Coordinate.percent(fraction)
        markup += "<line class=\"\(HTMLText.escaped(style))\" x1=\"\(x)\" x2=\"\(x)\""
        markup += " y1=\"\(Coordinate.text(top))\" y2=\"\(Coordinate.text(bottom))\"/>"
    }

    mutating func dot(at fraction: Double, y: Double, radius: Double, _ style: String) {
        markup += "<circle class=\"\(HTMLText.escaped(style))\" cx=\"\(Coordinate.percent(fraction))\""
        markup += " cy=\"\(Coordinate.text(y))\" r=\"\(Coordinate.text(radius))\"/>"
    }

    mutating func symbol(_ symbol: Symbol, at fraction: Double, y: Double) {
        markup += "<svg x=\"\(Coordinate.percent(fraction))\" y=\"\(Coordinate.text(y))\">\(symbol.path)</svg>"
    }

    mutating func bar(from start: Double, to end: Double, y: Double, height: Double, _ style: String) {
        let width = max(0, end - start)
        markup += "<rect class=\"\(HTMLText.escaped(style))\" x=\"\(Coordinate.percent(start))\""
        markup += " width=\"\(Coordinate.percent(width))\" y=\"\(Coordinate.text(y))\""
        markup += " height=\"\(Coordinate.text(height))\"/>"
    }
}

/// Escapes text for HTML and SVG, scalar by scalar: a browser reads `<` after U+0600 or `"` before U+0301 as markup.
enum HTMLText {
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { replacement(for: $0) != nil }) else { return text }
        return text.replacingScalars(replacement)
    }

    private static func replacement(for scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x26: "&amp;"
        case 0x3c: "&lt;"
        case 0x3e: "&gt;"
        case 0x22: "&quot;"
        case 0x27: "&#39;"
        case 0x09, 0x0a: nil
        case 0x00...0x1f, 0x7f...0x9f: "\u{fffd}"
        case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: "\u{fffd}"
        default: nil
        }
    }
}

extension String {
    /// Keeps scalars without a replacement.
    func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let replacement = replacement(scalar) { text += replacement } else { text.unicodeScalars.append(scalar) }
        }
    }
}

/// A fragment of a page whose foreign text is already escaped; renderers insert nothing else unescaped.
package struct Markup: Sendable, Equatable {
    let renderText: String

    static let none = Markup(trusted: "")

    init(trusted: String) { renderText = trusted }

    static func bar(_ name: String, of observed: Double, against limit: Double, passed: Bool) -> Markup {
        let top = max(abs(observed), abs(limit)) * 1.1
        guard top > 0, top.isFinite else { return .none }
        var drawing = Drawing()
        drawing.bar(from: 0, to: 1, y: 4, height: 4, "track")
        drawing.bar(from: 0, to: min(max(observed / top, 0.004), 1), y: 4, height: 4, passed ? "ok" : "bad")
        drawing.vertical(at: min(max(limit / top, 0), 1), from: 0, to: 12, "limit")
        return drawing.picture("bullet", name, height: 12)
    }
}

package struct ShareBar: Sendable {
    typealias Part = (name: String, count: UInt64, style: String)

    var name: String
    var parts: [Part]

    var words: String {
        parts.filter { $0.count > 0 }.map { "\($0.name) \(TextLayout.grouped($0.count))" }.joined(separator: ", ")
    }

    /// Empty for a total of 0; a part above 0 stays visible however small.
    func markup() -> Markup {
        let shown = parts.filter { $0.count > 0 }
        let total = shown.reduce(0.0) { $0 + Double($1.count) }
        guard total > 0 else { return .none }
        let widened = shown.map { max(Double($0.count) / total, 0.004) }
        let sum = widened.reduce(0, +)
        var drawing = Drawing()
        var left = 0.0
        for (part, width) in zip(shown, widened) {
            drawing.bar(from: left, to: left + width / sum, y: 0, height: 10, part.style)
            left += width / sum
        }
        return drawing.picture("share", "\(name): \(words)", height: 10)
    }
}

/// The `d` of an SVG path, at a tenth of a unit, as short as possible.
struct VectorPath: Equatable, Sendable {
    private(set) var data = ""

    var isEmpty: Bool { data.isEmpty }

    mutating func move(_ x: Double, _ y: Double) { data += "M\(Coordinate.text(x)) \(Coordinate.text(y))" }

    mutating func line(_ x: Double, _ y: Double) { data += "L\(Coordinate.text(x)) \(Coordinate.text(y))" }

    mutating func horizontal(_ x: Double) { data += "H\(Coordinate.text(x))" }

    mutating func vertical(_ y: Double) { data += "V\(Coordinate.text(y))" }

    mutating func close() { data += "z" }

    mutating func rectangle(x: Double, y: Double, width: Double, height: Double) {
        move(x, y)
        horizontal(x + width)
        vertical(y + height)
        horizontal(x)
        close()
    }

    /// Interrupted at missing points.
    static func through(_ points: [(x: Double, y: Double)?]) -> VectorPath {
        var path = VectorPath()
        for (index, point) in points.enumerated() {
            guard let point else { continue }
            if index > 0, points[index - 1] != nil {
                path.line(point.x, point.y)
                continue
            }
            path.move(point.x, point.y)
            let isAlone = index + 1 == points.count || points[index + 1] == nil
            if isAlone { path.horizontal(point.x + 2) }
        }
        return path
    }

    /// Begins at the height that the steps before have reached.
    static func steps(_ steps: [(x: Double, y: Double)], after y: Double, from left: Double, to right: Double) -> Self {
        var path = VectorPath()
        guard left < right else { return path }
        path.move(left, steps.last { $0.x <= left }?.y ?? y)
        for step in steps where step.x > left && step.x <= right {
            path.horizontal(step.x)
            path.vertical(step.y)
        }
        path.horizontal(right)
        return path
    }

    mutating func stand(on ground: Double, from left: Double) {
        guard !isEmpty else { return }
        vertical(ground)
        horizontal(left)
        close()
    }

    static func area(_ points: [(x: Double, y: Double)], ground: Double) -> VectorPath {
        var path = VectorPath()
        guard let first = points.first, let last = points.last else { return path }
        path.move(first.x, ground)
        for point in points { path.line(point.x, point.y) }
        path.line(last.x, ground)
        path.close()
        return path
    }
}

enum Coordinate {
    static func text(_ value: Double) -> String {
        let tenths = value.isFinite ? Clamped.integer(value * 10) : 0
        guard tenths != 0 else { return "0" }
        let sign = tenths < 0 ? "-" : ""
        let whole = tenths.magnitude / 10
        let tenth = tenths.magnitude % 10
        return tenth == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(tenth)"
    }

    static func percent(_ fraction: Double) -> String { text((fraction * 10_000).rounded() / 100) + "%" }
}
