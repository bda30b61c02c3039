/// Shared reload delay of renditions that are loaded together, and the smoothed load time.
struct ReloadPace: Sendable {
    private var loadTime = SmoothedTime()
    /// Shortest delay so far of renditions that are loaded together.
    private var sharedDelay: Int64 = .max

    /// Nil while an answer of another rendition is awaited.
    mutating func together(_ delay: Int64, isLast: Bool) -> Int64? {
        let shortest = min(delay, sharedDelay)
        sharedDelay = isLast ? .max : shortest
        return isLast ? shortest : nil
    }

    mutating func smoothed(_ nanoseconds: Int64) -> Int64 {
        loadTime.add(nanoseconds: nanoseconds)
        return loadTime.nanoseconds
    }
}

/// Mean of past load times, in which each weighs half as much as one five later (Shaka Player's EWMA).
struct SmoothedTime: Sendable {
    /// The fifth root of one half.
    private static let keep = 0.870_550_563_296_124
    private var sum = 0.0
    private var weight = 0.0

    mutating func add(nanoseconds: Int64) {
        sum = sum * Self.keep + Double(max(nanoseconds, 0)) * (1 - Self.keep)
        weight = weight * Self.keep + (1 - Self.keep)
    }

    var nanoseconds: Int64 { weight > 0 ? Int64(min(sum / weight, 1e15)) : 0 }
}
