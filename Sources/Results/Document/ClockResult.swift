/// Steps and drift of the wall clock during a run, compared with the monotonic clock.
package struct ClockResult: Equatable, Codable, Sendable {
    package struct Step: Equatable, Codable, Sendable {
        /// Offset of the interval's end from the start of the run.
        package var atMilliseconds: Int64
        /// Positive if the wall clock moved forward.
        package var byMicroseconds: Int64
        /// Nil for a run without shards.
        package var shard: Int?

        package init(atMilliseconds: Int64, byMicroseconds: Int64, shard: Int? = nil) {
            self.atMilliseconds = atMilliseconds
            self.byMicroseconds = byMicroseconds
            self.shard = shard
        }
    }

    /// The first 100 steps.
    package var steps: [Step] = []
    package var stepCount: Int = 0
    /// Change of wall clock minus monotonic clock from start to end of the run, by slewing and steps.
    ///
    /// For several shards, that of the shard with the largest drift.
    package var driftMicroseconds: Int64 = 0
}
