package struct CurvePoint: Sendable, Equatable {
    /// Time from the start of the run.
    package var at: Duration
    /// Share of the peak audience, from 0 to 1.
    package var share: Double

    package init(at: Duration, share: Double) {
        self.at = at
        self.share = share
    }
}
