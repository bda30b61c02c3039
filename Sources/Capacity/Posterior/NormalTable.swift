import Statistics

/// The standard normal distribution, tabulated: a posterior asks for it a million times.
enum NormalTable {
    static let reach = 7.0
    static let stepsPerUnit = 64.0

    /// From minus to plus `reach`, one step more than there are intervals.
    static let cumulative: [Double] = (0...Int(2 * reach * stepsPerUnit) + 1).map {
        NormalDistribution.cumulative(Double($0) / stepsPerUnit - reach)
    }
}
