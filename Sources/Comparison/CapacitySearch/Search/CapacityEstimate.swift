package struct CapacityEstimate: Codable, Equatable, Sendable {
    package enum Bound: String, Codable, Sendable {
        case unknown
        /// The capacity is the value, between lower and upper.
        case measured
        /// The capacity is the value or a larger number.
        case atLeast
        /// The capacity is the value or a smaller number; at the floor: not even the floor holds.
        case atMost
    }

    package enum Reason: String, Codable, Sendable {
        case nothingTried
        case measured
        case everythingHeld
        /// Harder breaks exceeded the load generator; more machines can test them.
        case generatorLimited
        case nothingHeld
    }

    /// The last confirming run.
    package struct Confirmation: Codable, Equatable, Sendable {
        package var size: Double
        package var held: Int
        package var missed: Int
        /// False if the size lies outside the interval after these breaks are counted.
        package var agrees: Bool
    }

    /// Rounded to a multiple of the granularity, to the easier side.
    package var value: Double?
    /// Ends of the 90 % interval, lower the smaller number; nil beyond the allowed sizes.
    package var lower: Double?
    package var upper: Double?
    package var bound: Bound
    package var reason: Reason
    /// Half of the interval's width as a share of the value; an end that is nil counts as the limit of the allowed sizes.
    package var relativeWidth: Double?
    /// The size that half of all breaks hold.
    package var medianHeld: Double?
    /// Standard deviations of a break's capacity, in natural logarithms: 0.05 is 5 %.
    package var betweenBreaks: Double?
    package var betweenRuns: Double?
    package var confirmation: Confirmation?
    package var runs: Int
    package var breaks: Int
    /// Breaks without information: those of a limited generator, and those soon after a missed one.
    package var breaksLeftOut: Int
}
