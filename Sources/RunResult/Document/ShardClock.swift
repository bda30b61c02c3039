/// What was known of a shard's clock against that of the place where the shards met.
package struct ShardClock: Equatable, Codable, Sendable {
    /// One measurement.
    package struct Offset: Equatable, Codable, Sendable {
        /// The place's clock less the machine's: what is added to this machine's wall clock.
        package var offsetMicroseconds: Int64
        /// How far the truth may be from that, either way.
        package var boundMicroseconds: Int64
        /// At the end of a run: how much the place's clock gained on the machine's monotonic clock since the start.
        package var driftMicroseconds: Int64?

        package init(offsetMicroseconds: Int64, boundMicroseconds: Int64, driftMicroseconds: Int64? = nil) {
            self.offsetMicroseconds = offsetMicroseconds
            self.boundMicroseconds = boundMicroseconds
            self.driftMicroseconds = driftMicroseconds
        }
    }

    /// By what the run counted its time.
    package var start: Offset
    /// Nil where the place did not answer any more, or the run was cut off.
    package var end: Offset?
    /// Whether the machine's kernel holds its clock to be synchronised with others; nil where it does not say.
    package var isSynchronised: Bool?
    /// How wrong the kernel says that its clock may be.
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

    /// A bound above this is worth a reader's attention: a spread of that size is then not told from none.
    package static let widestBoundMicroseconds: Int64 = 5_000

    /// How far an instant of the run, as the shard counted it, may be from the place's time at any moment of the run.
    ///
    /// The clocks are taken to drift apart in one direction. Nil where the end was not measured: nobody knows how far
    /// they drifted.
    package var boundMicroseconds: Int64? {
        guard let end, let drift = end.driftMicroseconds else { return nil }
        let atEnd = Int64(clamping: drift.magnitude).addingReportingOverflow(end.boundMicroseconds)
        return atEnd.overflow ? nil : max(start.boundMicroseconds, atEnd.partialValue)
    }
}

extension [ShardClock?] {
    /// How far two instants of different shards may be wrong against each other: the two greatest bounds together.
    ///
    /// Nil for fewer than two shards, and where one does not know its bound.
    package var boundBetweenMicroseconds: Int64? {
        let bounds = compactMap { $0?.boundMicroseconds }.sorted(by: >)
        guard bounds.count == count, bounds.count > 1 else { return nil }
        return bounds[0] &+ bounds[1]
    }
}
