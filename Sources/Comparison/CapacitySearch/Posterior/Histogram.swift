/// Weights over an evenly spaced axis, read as a distribution without steps.
struct Histogram {
    let origin: Double
    let step: Double
    private var weights: [Double]
    private var sum = 0.0

    init(origin: Double, step: Double, count: Int) {
        self.origin = origin
        self.step = step
        weights = [Double](repeating: 0, count: max(count, 2))
    }

    /// Splits a weight between the two places next to a value.
    mutating func add(_ weight: Double, at value: Double) {
        guard value.isFinite else { return }
        let place = min(max((value - origin) / step, 0), Double(weights.count - 1) - 1e-9)
        let whole = Int(place)
        let part = place - Double(whole)
        weights[whole] += weight * (1 - part)
        weights[whole + 1] += weight * part
        sum += weight
    }

    func quantile(_ probability: Double) -> Double {
        let wanted = probability * sum
        var below = 0.0
        for (index, weight) in weights.enumerated() {
            if below + weight >= wanted, weight > 0 {
                // A weight is spread evenly around its place.
                return origin + step * (Double(index) - 0.5 + (wanted - below) / weight)
            }
            below += weight
        }
        return origin + step * Double(weights.count - 1)
    }

    func below(_ value: Double) -> Double {
        guard sum > 0 else { return 0 }
        let place = (value - origin) / step + 0.5
        guard place > 0 else { return 0 }
        let whole = min(Int(min(place, 1e9)), weights.count)
        var below = weights[..<whole].reduce(0, +)
        if whole < weights.count { below += weights[whole] * (place - Double(whole)) }
        return min(below / sum, 1)
    }
}
