package import Results

package enum CapacityStep: Equatable, Sendable {
    /// One run, with a break of each size in this order.
    ///
    /// An escalation whose breaks differ in size lists all sizes up to the ceiling. The caller ends it after two misses in a
    /// row and reports the breaks so far.
    case run(CapacityRunResult.Kind, sizes: [Double])
    case done(CapacityEnd)
}

package struct CapacityEnd: Codable, Equatable, Sendable {
    package enum Cause: String, Codable, Sendable {
        /// The interval is narrow enough and a confirming run agreed.
        case narrow
        /// The capacity lies beyond the allowed sizes or the generator's limit.
        case bounded
        case runsUsedUp
    }

    package var cause: Cause
    package var estimate: CapacityEstimate
}
