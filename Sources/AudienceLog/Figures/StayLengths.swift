/// How long viewers stay, when not all stays are seen to their ends.
struct StayLengths {
    /// By whole seconds.
    private var ended: [Int] = []
    private var cut: [Int] = []
    var underWay = 0

    mutating func add(milliseconds: Int64, isCutOff: Bool) {
        let second = Int(max(0, milliseconds) / 1000)
        if isCutOff {
            Self.add(second, to: &cut)
        } else {
            Self.add(second, to: &ended)
        }
    }

    private static func add(_ second: Int, to counts: inout [Int]) {
        if counts.count <= second { counts.append(contentsOf: repeatElement(0, count: second + 1 - counts.count)) }
        counts[second] += 1
    }

    func figures(weight: Int) -> AudienceFigures.Stays {
        let whole = ended.reduce(0, +)
        let cutOff = cut.reduce(0, +)
        var figures = AudienceFigures.Stays(
            whole: whole * weight,
            cutOff: cutOff * weight,
            underWay: underWay * weight
        )
        var wanted: ArraySlice = [0.1, 0.25, 0.5, 0.75, 0.9]
        var (left, watching) = (1.0, whole + cutOff)
        for second in 0..<max(ended.count, cut.count) where watching > 0 {
            let gone = second < ended.count ? ended[second] : 0
            left *= 1 - Double(gone) / Double(watching)
            while let share = wanted.first, 1 - left >= share {
                figures.percentiles.append(AudienceFigures.Percentile(share: share, value: Double(second)))
                wanted.removeFirst()
            }
            watching -= gone + (second < cut.count ? cut[second] : 0)
        }
        return figures
    }
}
