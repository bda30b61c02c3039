/// The standard normal distribution as a table: a posterior reads it a million times.
enum NormalTable {
    static let reach = 7.0
    static let stepsPerUnit = 64.0

    /// From minus `reach` to one step beyond plus `reach`.
    static let cumulative: [Double] = (0...Int(2 * reach * stepsPerUnit) + 1).map {
        NormalDistribution.cumulative(Double($0) / stepsPerUnit - reach)
    }
}
