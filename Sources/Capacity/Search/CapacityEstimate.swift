/// What is known of a capacity after some runs.
package struct CapacityEstimate: Codable, Equatable, Sendable {
    /// What the value claims.
    package enum Bound: String, Codable, Sendable {
        /// Nothing: there is no value.
        case unknown
        /// It is the capacity, between lower and upper.
        case measured
        /// The capacity is no smaller a number.
        case atLeast
        /// The capacity is no larger a number; of the floor: not even the floor holds.
        case atMost
    }

    /// Why the value claims no more than it does.
    package enum Reason: String, Codable, Sendable {
        case nothingTried
        case measured
        /// Up to the hardest that may be asked for.
        case everythingHeld
        /// Harder breaks were beyond the load generator: more machines would tell.
        case generatorLimited
        /// Not even the easiest that was asked for.
        case nothingHeld
    }

    /// What came of the last run at a fixed size.
    package struct Confirmation: Codable, Equatable, Sendable {
        package var size: Double
        package var held: Int
        package var missed: Int
        /// False where, with these breaks counted, the size lies outside of the interval.
        package var agrees: Bool
    }

    /// Rounded to a multiple of the granularity, to the easier side.
    package var value: Double?
    /// The ends of the 90 % interval, lower the smaller number; nil where what was asked for does not reach.
    package var lower: Double?
    package var upper: Double?
    package var bound: Bound
    package var reason: Reason
    /// Half of the width of the interval, as a share of the value; an end that is nil is taken where asking ends.
    package var relativeWidth: Double?
    /// What holds in half of all breaks.
    package var medianHeld: Double?
    /// Standard deviations of the natural logarithm of what a break carries: 0.05 is 5 %.
    package var betweenBreaks: Double?
    package var betweenRuns: Double?
    package var confirmation: Confirmation?
    package var runs: Int
    /// All breaks of these runs.
    package var breaks: Int
    /// Of these, the ones that say nothing: those of a limited generator, and those soon after a missed one.
    package var breaksLeftOut: Int
}
