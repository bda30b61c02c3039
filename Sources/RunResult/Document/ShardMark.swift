/// Which part of a plan a run was, where several runs share one audience.
package struct ShardMark: Equatable, Codable, Sendable {
    /// The name by which the shards of one run find each other.
    package var runID: String
    /// From 0.
    package var index: Int
    /// How many shards the plan has.
    package var count: Int
    /// Nil in results of versions that did not measure it.
    package var clock: ShardClock?

    package init(runID: String, index: Int, count: Int) {
        self.runID = runID
        self.index = index
        self.count = count
    }
}
