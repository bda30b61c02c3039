import Values

package struct RunDescription: Equatable, Codable, Sendable {
    package struct Asked: Equatable, Codable, Sendable {
        package var name: String
        package var unit: String
        package var requested: Double?
        package var observed: Double?

        package init(name: String, unit: String, requested: Double?, observed: Double?) {
            (self.name, self.unit, self.requested, self.observed) = (name, unit, requested, observed)
        }
    }

    package var profile: String
    package var profileDigest: String
    package var workloadDigest: String?
    package var seed: UInt64
    package var labels: [String: String] = [:]
    package var target: String
    package let startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64 { didSet { endedAt = UTCText.iso8601(microseconds: endedAtMicroseconds) } }
    package let startedAt: String
    package private(set) var endedAt: String
    package var loops = 0
    package var transports: [String] = []
    package var tlsVerified: Bool?
    package var interrupted = false
    package var abortedBy: String?
    package var recovered: RecoveredMark?
    package var shard: ShardMark?
    package var versions: [String: String] = [:]
    package var host: HostFacts
    package var asked: [Asked] = []
    package var audienceCurve: PlannedAudience?

    package init(
        profile: String,
        profileDigest: String,
        seed: UInt64,
        target: String,
        startedAtMicroseconds: Int64,
        host: HostFacts
    ) {
        (self.profile, self.profileDigest, self.seed) = (profile, profileDigest, seed)
        (self.target, self.host) = (target, host)
        self.startedAtMicroseconds = startedAtMicroseconds
        endedAtMicroseconds = startedAtMicroseconds
        startedAt = UTCText.iso8601(microseconds: startedAtMicroseconds)
        endedAt = startedAt
    }
}

package struct ShardMark: Equatable, Codable, Sendable {
    package var runID: String
    package var index: Int
    package var count: Int
    package var clock: ShardClock?

    package init(runID: String, index: Int, count: Int) {
        (self.runID, self.index, self.count) = (runID, index, count)
    }
}

package struct RecoveredMark: Equatable, Codable, Sendable {
    package var intervals: Int
    package var droppedBytes: Int64
    package var reason: String
}

/// Results of different machines are not comparable.
package struct HostFacts: Equatable, Codable, Sendable {
    package var name: String?
    package var operatingSystem = ""
    package var kernel = "none"
    package var architecture = "none"
    package var cpuModel = "none"
    package var cpuCount = 0
    package var memoryBytes: Int64 = 0
    package var descriptorLimit = 0
    package var ephemeralPorts = 0
    package var sharedWithTarget = false
}

extension HostFacts {
    package init(name: String? = nil) { self.name = name }
}

package enum UTCText {
    /// For example `2026-11-21T20:00:00.000Z`, cut to milliseconds; microseconds are since the Unix epoch.
    package static func iso8601(microseconds: Int64) -> String {
        WallTime(microseconds: microseconds &- (microseconds % 1_000 + 1_000) % 1_000).iso8601
    }

    /// Microseconds are since the Unix epoch; for example `20261121T200000Z`.
    package static func compact(microseconds: Int64) -> String {
        iso8601(microseconds: microseconds).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
