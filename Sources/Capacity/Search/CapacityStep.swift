/// What a search asks for next.
package enum CapacityStep: Equatable, Sendable {
    /// One run, with a break of each size in this order.
    ///
    /// Of an escalation in which each break has a size of its own, all sizes up to the ceiling; whoever runs it ends it
    /// after two misses in a row and gives back the breaks that there were.
    case run(CapacityRun.Kind, sizes: [Double])
    case done(CapacityEnd)
}

/// How a search ended.
package struct CapacityEnd: Codable, Equatable, Sendable {
    package enum Cause: String, Codable, Sendable {
        /// The interval is as narrow as was asked for, and a confirming run agreed.
        case narrow
        /// What may be asked for, or what the generator can do, ends before the capacity does.
        case bounded
        /// No more runs are allowed.
        case runsUsedUp
    }

    package var cause: Cause
    package var estimate: CapacityEstimate
}
