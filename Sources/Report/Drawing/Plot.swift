struct Plot: Sendable {
    /// Content of the chart in words; its name for screen readers.
    var name: String
    /// Pixels between the axes.
    var height: Double
    var horizontalTicks: [Tick] = []
    /// Fractions from the bottom.
    var verticalTicks: [Tick] = []
    /// Drawn in units: 1,000 across, `height` down.
    var shapes = Drawing()
    /// Drawn over the shapes, in fractions of the width.
    var marks = Drawing()
    var readings: Readings?
    var style = ""

    static let width = 1_000.0
    private static let labelHeight = 18.0

    static func x(_ fraction: Double) -> Double { fraction * width }

    /// `fraction` counts from the bottom.
    func y(_ fraction: Double) -> Double { height - fraction * height }

    /// A point in units; fractions count from the left and from the bottom.
    func point(_ across: Double, _ up: Double) -> (x: Double, y: Double) { (Self.x(across), y(up)) }

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
            grid.horizontal(y: y(tick.fraction), "gr")
            grid.leftLabel(tick.label, y: y(tick.fraction) + 3.5)
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
