/// Wall clock compared with the monotonic clock.
package struct ClockResult: Equatable, Codable, Sendable {
    package struct Step: Equatable, Codable, Sendable {
        /// End of the interval.
        package var atMilliseconds: Int64
        /// Positive if the wall clock moved forward.
        package var byMicroseconds: Int64
        package var shard: Int?
    }

    /// The first 100 steps.
    package var steps: [Step] = []
    package var stepCount: Int = 0
    /// Change of wall clock minus monotonic clock; with shards, the largest.
    package var driftMicroseconds: Int64 = 0
}

package struct JournalResult: Equatable, Codable, Sendable {
    /// nil if the file was removed after the result was written.
    package var path: String?
    /// On the disk before the end of the next interval, or soon after.
    package var intervalsKept: Int = 0
    /// Not on the disk by themselves; a later checkpoint contains them.
    package var intervalsLost: Int = 0
    package var bytes: Int64 = 0
    package var cpuMicroseconds: Int64 = 0
    package var error: String?
}
