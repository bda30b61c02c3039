package struct ShareBar: Sendable {
    struct Part {
        var name: String
        var count: UInt64
        var style: String
    }

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

extension Markup {
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
