/// Planned viewers over time, by the profile's curve.
package struct PlannedAudience: Equatable, Codable, Sendable {
    /// Shape name in the profile; nil for a curve of points.
    package var shape: String?
    package var stepMilliseconds: Int64
    /// At each multiple of the step from the start of the run.
    package var viewers: [Int64]

    package init(shape: String?, stepMilliseconds: Int64, viewers: [Int64]) {
        self.shape = shape
        self.stepMilliseconds = stepMilliseconds
        self.viewers = viewers
    }

    /// Viewers at an instant, linear between two steps and constant after the last.
    package func viewers(atMilliseconds milliseconds: Double) -> Double {
        let place = max(milliseconds, 0) / Double(max(stepMilliseconds, 1))
        guard let last = viewers.last else { return 0 }
        guard place < Double(viewers.count - 1) else { return Double(last) }
        let (one, other) = (Double(viewers[Int(place)]), Double(viewers[Int(place) + 1]))
        return one + (other - one) * (place - place.rounded(.down))
    }

    /// Sum of two shards of one plan; nil if their steps differ.
    package func joined(with other: PlannedAudience) -> PlannedAudience? {
        guard stepMilliseconds == other.stepMilliseconds, viewers.count == other.viewers.count else { return nil }
        var joined = self
        for (index, number) in other.viewers.enumerated() { joined.viewers[index] &+= number }
        return joined
    }
}
