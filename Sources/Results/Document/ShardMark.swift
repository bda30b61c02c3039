/// Part of a plan that a run was, if several runs share one audience.
package struct ShardMark: Equatable, Codable, Sendable {
    package var runID: String
    /// From 0.
    package var index: Int
    package var count: Int
    /// Nil in results of earlier versions.
    package var clock: ShardClock?

    package init(runID: String, index: Int, count: Int) {
        self.runID = runID
        self.index = index
        self.count = count
    }
}
