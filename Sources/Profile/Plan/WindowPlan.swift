/// Windows of a result, and the beginning of the part that is judged.
package struct WindowPlan: Sendable, Equatable, ProfileFields {
    package var length: Duration? = nil
    package var warmUp: Duration? = nil
    package var failsOnDrift: Bool? = nil

    package static let fields = FieldList(WindowPlan()) { f in
        f.add("warmUp", \.warmUp, .duration(.zero ... .seconds(2_592_000)))
        f.add("length", \.length, .duration(.seconds(1) ... .seconds(86_400)), .free)
        f.add("failOnDrift", \.failsOnDrift, .boolean, .free)
    }

    private static let lengths: [Duration] = [1, 2, 5, 10, 30, 60, 120, 300].map { .seconds($0) }
    /// As many as a chart can show apart.
    private static let usualCount = 120

    /// The profile's length, or the smallest round one that makes at most 120 windows, at most 5 min.
    package func length(forRunOf duration: Duration) -> Duration {
        length ?? Self.lengths.first { $0 * Self.usualCount >= duration } ?? .seconds(300)
    }

    /// Whole windows until all viewers have joined and the first breaks are over.
    ///
    /// Viewers allocate connections and memory in the first breaks; if these counted, every soak would appear to leak.
    package func soakWarmUp(ramp: Duration, duration: Duration) -> Duration {
        guard warmUp == nil else { return warmUp ?? .zero }
        let window = length(forRunOf: duration)
        let least = max(ramp, window, min(.seconds(300), duration / 4))
        return window * Int((least / window).rounded(.up))
    }
}
