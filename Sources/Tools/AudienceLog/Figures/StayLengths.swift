/// Lengths of stays, some of which are cut off by the end of the log.
struct StayLengths {
    /// Number of stays by length in whole seconds.
    private var ended: [Int: Int] = [:]
    private var cut: [Int: Int] = [:]
    var underWay = 0

    mutating func add(milliseconds: Int64, isCutOff: Bool) {
        let second = Int(max(0, milliseconds) / 1000)
        if isCutOff { cut[second, default: 0] += 1 } else { ended[second, default: 0] += 1 }
    }

    func figures(weight: Int) -> AudienceFigures.Stays {
        let (whole, cutOff) = (ended.values.reduce(0, +), cut.values.reduce(0, +))
        var figures = AudienceFigures.Stays(
            whole: whole * weight,
            cutOff: cutOff * weight,
            underWay: underWay * weight
        )
        var wanted: ArraySlice = [0.1, 0.25, 0.5, 0.75, 0.9]
        var (left, watching) = (1.0, whole + cutOff)
        for second in Set(ended.keys).union(cut.keys).sorted() {
            let gone = ended[second] ?? 0
            left *= 1 - Double(gone) / Double(watching)
            while let share = wanted.first, 1 - left >= share {
                figures.secondsByShareLeft.append(AudienceFigures.Percentile(share: share, value: Double(second)))
                wanted.removeFirst()
            }
            watching -= gone + (cut[second] ?? 0)
        }
        return figures
    }
}
