/// How many watch at an instant of a run.
package struct CurvePoint: Sendable, Equatable {
    /// From the start of the run.
    package var at: Duration
    /// Of the most who watch at once, from 0 to 1.
    package var share: Double

    package init(at: Duration, share: Double) {
        self.at = at
        self.share = share
    }
}
