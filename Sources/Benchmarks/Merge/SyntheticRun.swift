import Chance
import LoadProfile
import Recording
import RunJournal
import RunResult
import Thresholds

/// A run of many shards that nobody made, as far as all shards have it in common.
///
/// Viewers ask for their playlist every six seconds, which Apple's authoring specification has segments last, and all of
/// them show every break.
struct SyntheticRun: Sendable {
    static let pollSeconds = 6
    /// Viewers join one after the other, everybody before the first break is told of.
    static let rampSeconds = 9
    /// How long before its start a break is in the playlist.
    static let announcedSeconds = 12
    static let breakMilliseconds = 30_000
    static let loops = 2
    static let startMicroseconds: Int64 = 1_795_291_200_000_000
    private static let descriptorLimit = 1_048_576

    let shards: Int
    /// Of all shards together.
    let viewers: Int
    let seconds: Int
    var breaks: Int
    let seed: UInt64

    /// The same with nobody due for anything.
    var withoutBreaks: SyntheticRun {
        var run = self
        run.breaks = 0
        return run
    }

    /// The second of the run in which a break begins: all of them lie equally far apart.
    func second(ofBreak number: Int) -> Int { (2 * number + 1) * seconds / (2 * breaks) }

    /// Viewers of one shard, whose numbers are every n-th.
    func viewers(of shard: Int) -> Int { (viewers - shard + shards - 1) / shards }

    /// The chance of one shard.
    func chance(of shard: Int) -> SplitMix64 {
        var all = SplitMix64(seed: seed)
        return SplitMix64(seed: all.next() &+ UInt64(shard) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// What the journal of a shard begins with.
    func settings(of shard: Int) -> CollectorSettings {
        var description = RunDescription(
            profileName: "merged",
            profileDigest: "sha256:00ff",
            workloadDigest: "sha256:0f0f",
            seed: seed,
            target: "https://origin.example.com",
            startedAtMicroseconds: Self.startMicroseconds,
            endedAtMicroseconds: Self.startMicroseconds,
            loops: Self.loops,
            transports: ["http/1.1", "tls"],
            tlsVerified: true,
            versions: ["podswarm": PodswarmVersion.current],
            host: Self.host(of: shard),
            asked: [
                .init(name: RunDescription.Asked.viewers, unit: "count", requested: Double(viewers), observed: nil),
                .init(name: RunDescription.Asked.duration, unit: "s", requested: Double(seconds), observed: nil),
                .init(name: "break_grace", unit: "ms", requested: 2_000, observed: nil),
            ]
        )
        description.shard = ShardMark(runID: "merged", index: shard, count: shards)
        description.shard?.clock = ShardClock(start: .init(offsetMicroseconds: Int64(shard) * 7, boundMicroseconds: 90))
        return CollectorSettings(
            run: description,
            thresholds: [.mostBreaksOnTime],
            // A few viewers are given another pod than the others.
            allowedFindings: FindingAllowances(anyOf: [FindingAllowances.everyCode]),
            loopCores: Self.loops,
            descriptorLimit: Self.descriptorLimit,
            windowMilliseconds: WindowPlan().length(forRunOf: .seconds(seconds)).components.seconds * 1_000,
            personas: [
                PersonaDescription(name: "strict", sharePercent: 60, deadlineMilliseconds: 60_000),
                PersonaDescription(name: "avplayer", sharePercent: 40, deadlineMilliseconds: 60_000),
            ],
            plannedMicroseconds: Int64(seconds) * 1_000_000
        )
    }

    private static func host(of shard: Int) -> HostFacts {
        HostFacts(
            name: "generator-\(shard)",
            operatingSystem: "Debian GNU/Linux 12 (bookworm)",
            kernel: "6.1.0",
            architecture: "x86_64",
            cpuModel: "Example CPU",
            cpuCount: loops,
            memoryBytes: 8_589_934_592,
            descriptorLimit: descriptorLimit,
            ephemeralPorts: 28_232,
            sharedWithTarget: false
        )
    }
}
