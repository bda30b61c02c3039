/// What the wall clock did during a run, held against the monotonic clock.
package struct ClockResult: Equatable, Codable, Sendable {
    /// A jump of the wall clock between two intervals.
    package struct Step: Equatable, Codable, Sendable {
        /// Offset of the interval's end from the start of the run.
        package var atMilliseconds: Int64
        /// Positive where the wall clock was put forward.
        package var byMicroseconds: Int64
        /// Whose clock it was, where a result is that of several shards.
        package var shard: Int?

        package init(atMilliseconds: Int64, byMicroseconds: Int64, shard: Int? = nil) {
            self.atMilliseconds = atMilliseconds
            self.byMicroseconds = byMicroseconds
            self.shard = shard
        }
    }

    /// The first steps, at most 100.
    package var steps: [Step]
    package var stepCount: Int
    /// Wall clock less monotonic clock, end of the run less its start: slewing and steps together.
    ///
    /// Of several shards that of the one whose clock moved most.
    package var driftMicroseconds: Int64

    package init(steps: [Step] = [], stepCount: Int = 0, driftMicroseconds: Int64 = 0) {
        self.steps = steps
        self.stepCount = stepCount
        self.driftMicroseconds = driftMicroseconds
    }
}
