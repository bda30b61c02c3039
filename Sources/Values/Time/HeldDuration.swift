extension Duration {
    /// Whole nanoseconds, clamped to Int64.
    public var nanosecondsHeld: Int64 { held(perSecond: 1_000_000_000) }

    /// Microseconds, rounded towards zero and clamped to Int64.
    public var wholeMicroseconds: Int64 { held(perSecond: 1_000_000) }

    /// Milliseconds, rounded towards zero and clamped to Int64.
    public var millisecondsHeld: Int64 { held(perSecond: 1_000) }

    // `units` is a power of ten of at most 10^9.
    private func held(perSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: units)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return scaled.addingClamped(attoseconds / (1_000_000_000_000_000_000 / units))
    }
}
