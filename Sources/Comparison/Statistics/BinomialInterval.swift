/// Clopper and Pearson's interval of a share: the exact one, never too narrow (Biometrika 26, 1934).
package struct BinomialInterval: Equatable, Sendable {
    package let low: Double
    package let high: Double

    /// `events` need not be whole if counts were scaled down; `trials` is above 0, `confidence` two-sided from 0 to 1.
    package init(events: Double, trials: Double, confidence: Double) {
        let tail = (1 - confidence) / 2
        let events = min(max(events, 0), trials)
        let others = trials - events
        low =
            events <= 0
            ? 0
            : Bisection.root(from: 0, to: 1) { IncompleteBeta.regularised($0, events, others + 1) >= tail }
        high =
            others <= 0
            ? 1
            : Bisection.root(from: 0, to: 1) { IncompleteBeta.regularised($0, events + 1, others) >= 1 - tail }
    }
}
