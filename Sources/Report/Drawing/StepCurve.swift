struct StepCurve {
    private let begin: Double
    private var steps: [(x: Double, y: Double)] = []

    init(from begin: Double) {
        self.begin = begin
    }

    mutating func rise(to y: Double, at x: Double) {
        steps.append((x, y))
    }

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
