package struct ClockResult: Equatable, Codable, Sendable {
    package struct Step: Equatable, Codable, Sendable {
        package var atMilliseconds: Int64
        package var byMicroseconds: Int64
        package var shard: Int?
    }

    package var steps: [Step] = []
    package var stepCount: Int = 0
    package var driftMicroseconds: Int64 = 0
}

package struct JournalResult: Equatable, Codable, Sendable {
    package var path: String?
    package var intervalsKept: Int = 0
    package var intervalsLost: Int = 0
    package var bytes: Int64 = 0
    package var cpuMicroseconds: Int64 = 0
    package var error: String?
}
