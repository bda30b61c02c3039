/// How many viewers are to watch over time, by the profile's curve.
package struct PlannedAudience: Equatable, Codable, Sendable {
    /// What the profile calls the shape; nil for points of its own.
    package var shape: String?
    package var stepMilliseconds: Int64
    /// At each multiple of the step, from the start of the run on.
    package var viewers: [Int64]

    package init(shape: String?, stepMilliseconds: Int64, viewers: [Int64]) {
        self.shape = shape
        self.stepMilliseconds = stepMilliseconds
        self.viewers = viewers
    }

    /// How many at an instant.
    ///
    /// - Parameter milliseconds: From the start of the run.
    /// - Returns: Between two steps on a straight line, after the last as many as then.
    package func viewers(atMilliseconds milliseconds: Double) -> Double {
        let place = max(milliseconds, 0) / Double(max(stepMilliseconds, 1))
        guard let last = viewers.last else { return 0 }
        guard place < Double(viewers.count - 1) else { return Double(last) }
        let (one, other) = (Double(viewers[Int(place)]), Double(viewers[Int(place) + 1]))
        return one + (other - one) * (place - place.rounded(.down))
    }

    /// Of two shards together.
    ///
    /// - Parameter other: Of the same plan.
    /// - Returns: Nil where their steps are not the same.
    package func joined(with other: PlannedAudience) -> PlannedAudience? {
        guard stepMilliseconds == other.stepMilliseconds, viewers.count == other.viewers.count else { return nil }
        var joined = self
        for (index, number) in other.viewers.enumerated() { joined.viewers[index] &+= number }
        return joined
    }
}
