/// Interval between looks at a run: one second, or longer so that looking takes at most a quarter of a core.
package struct WatchPace: Sendable {
    package private(set) var rest = Duration.seconds(1)

    package init() {}

    /// Performs one look and sets the rest to three times its duration, at least a second.
    package mutating func measure(_ look: () -> Void) {
        let took = ContinuousClock().measure(look)
        rest = max(.seconds(1), took * 3)
    }
}
