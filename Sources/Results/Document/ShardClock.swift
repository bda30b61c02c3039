/// Clock of a shard, compared with that of the meeting place.
package struct ShardClock: Equatable, Codable, Sendable {
    package struct Offset: Equatable, Codable, Sendable {
        /// The place's clock minus this machine's: added to this machine's wall clock.
        package var offsetMicroseconds: Int64
        /// Largest error of the offset, in either direction.
        package var boundMicroseconds: Int64
        /// Only at the end: gain of the place's clock on the machine's monotonic clock since the start.
        package var driftMicroseconds: Int64?

        package init(offsetMicroseconds: Int64, boundMicroseconds: Int64, driftMicroseconds: Int64? = nil) {
            self.offsetMicroseconds = offsetMicroseconds
            self.boundMicroseconds = boundMicroseconds
            self.driftMicroseconds = driftMicroseconds
        }
    }

    /// Offset used for the run's time.
    package var start: Offset
    /// Nil if the place no longer answered, or the run was cut off.
    package var end: Offset?
    /// Whether the kernel considers its clock synchronised; nil if it does not say.
    package var isSynchronised: Bool?
    package var kernelMaximumErrorMicroseconds: Int64?

    package init(
        start: Offset,
        end: Offset? = nil,
        isSynchronised: Bool? = nil,
        kernelMaximumErrorMicroseconds: Int64? = nil
    ) {
        self.start = start
        self.end = end
        self.isSynchronised = isSynchronised
        self.kernelMaximumErrorMicroseconds = kernelMaximumErrorMicroseconds
    }

    /// Larger bounds are reported: a spread of that size is then indistinguishable from none.
    package static let widestBoundMicroseconds: Int64 = 5_000

    /// Largest difference between an instant by the shard's time and by the place's clock, during the whole run.
    ///
    /// The clocks are assumed to drift apart in one direction. Nil if the end was not measured: the drift is then unknown.
    package var boundMicroseconds: Int64? {
        guard let end, let drift = end.driftMicroseconds else { return nil }
        let atEnd = Int64(clamping: drift.magnitude).addingReportingOverflow(end.boundMicroseconds)
        return atEnd.overflow ? nil : max(start.boundMicroseconds, atEnd.partialValue)
    }
}

extension [ShardClock?] {
    /// Largest error between instants of two shards: the sum of the two greatest bounds.
    ///
    /// Nil for fewer than two shards, and if a bound is unknown.
    package var boundBetweenMicroseconds: Int64? {
        let bounds = compactMap { $0?.boundMicroseconds }.sorted(by: >)
        guard bounds.count == count, bounds.count > 1 else { return nil }
        return bounds[0] &+ bounds[1]
    }
}
