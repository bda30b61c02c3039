/// How often a run is looked at: each second, or seldom enough that looking takes a quarter of a core at most.
package struct WatchPace: Sendable {
    /// Until the next look.
    package private(set) var rest = Duration.seconds(1)

    package init() {}

    /// Looks, and rests the longer after it the longer that took.
    ///
    /// - Parameter look: One look.
    package mutating func measure(_ look: () -> Void) {
        let took = ContinuousClock().measure(look)
        rest = max(.seconds(1), took * 3)
    }
}
