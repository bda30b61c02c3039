/// Holm's step-down correction: the probability of any false alarm among all tests stays below the level.
///
/// Source: Holm, Scandinavian Journal of Statistics 6, 1979.
enum HolmCorrection {
    /// Corrected p-values of one family, in the same order, at most 1.
    static func adjusted(_ pValues: [Double]) -> [Double] {
        let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
        var adjusted = pValues
        var highest = 0.0
        for (rank, index) in order.enumerated() {
            highest = max(highest, min(1, pValues[index] * Double(pValues.count - rank)))
            adjusted[index] = highest
        }
        return adjusted
    }
}
