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
        var isDrawing = false
        for (index, point) in points.enumerated() {
            guard let point else {
                isDrawing = false
                continue
            }
            if isDrawing {
                path.line(point.x, point.y)
            } else {
                path.move(point.x, point.y)
                let isAlone = index + 1 == points.count || points[index + 1] == nil
                if isAlone { path.horizontal(point.x + 2) }
            }
            isDrawing = true
        }
        return path
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

struct StepCurve {
    private let begin: Double
    private var steps: [(x: Double, y: Double)] = []

    init(from begin: Double) { self.begin = begin }

    mutating func rise(to y: Double, at x: Double) { steps.append((x, y)) }

    func line(from left: Double, to right: Double) -> VectorPath {
        var path = VectorPath()
        guard left < right else { return path }
        path.move(left, steps.last { $0.x <= left }?.y ?? begin)
        for step in steps where step.x > left && step.x <= right {
            path.horizontal(step.x)
            path.vertical(step.y)
        }
        path.horizontal(right)
        return path
    }

    func area(from left: Double, to right: Double, ground: Double) -> VectorPath {
        var path = line(from: left, to: right)
        guard !path.isEmpty else { return path }
        path.vertical(ground)
        path.horizontal(left)
        path.close()
        return path
    }
}
