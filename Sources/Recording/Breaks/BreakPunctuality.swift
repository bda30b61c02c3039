/// How many of the due viewers had a break's pod in time: the small part of a break that is shown while a run goes on.
package struct BreakPunctuality: Equatable, Sendable {
    package var key: String
    package var startMicroseconds: Int64
    package var due: UInt64
    package var onTime: UInt64

    package init(key: String, startMicroseconds: Int64, due: UInt64, onTime: UInt64) {
        self.key = key
        self.startMicroseconds = startMicroseconds
        self.due = due
        self.onTime = onTime
    }

    /// The later of two breaks, or the sum where both are the same one.
    package static func merged(_ lhs: BreakPunctuality?, _ rhs: BreakPunctuality?) -> BreakPunctuality? {
        guard let lhs, let rhs else { return lhs ?? rhs }
        guard lhs.key == rhs.key else { return lhs.startMicroseconds >= rhs.startMicroseconds ? lhs : rhs }
        var sum = lhs
        sum.due &+= rhs.due
        sum.onTime &+= rhs.onTime
        return sum
    }
}
