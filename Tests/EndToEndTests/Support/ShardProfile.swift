import TestSupport

/// A profile for shards on this machine, against an origin that runs already and has no breaks of its own.
///
/// Everything is at an instant of its own after the start: a viewer loads its playlist at its join, within the first
/// second, and eight seconds later, and metadata after four seconds and eight. So a run of eleven seconds asks for exactly
/// as much whenever it begins, as long as nobody is seconds late.
struct ShardProfile: Sendable {
    static let originArguments = [
        "--set", "target.embedded.segmentDuration=8s", "--set", "breaks=none", "--set", "target.embedded.adDuration=1s",
        "--set", "target.embedded.metadataPolling=4s",
    ]

    let origin: String
    var duration = "11s"
    var viewers = 40
    var repeatShare = "25%"
    var breaks = "2s, 6s"

    static func short(origin: String, duration: String = "5s") -> ShardProfile {
        ShardProfile(origin: origin, duration: duration, viewers: 8, breaks: "2s")
    }

    /// Budgets are wide and punctuality is not judged, because these runs measure nothing; nor is what a starved machine
    /// rightly brings about.
    var yaml: String {
        """
        name: sharded
        duration: \(duration)
        seed: 7
        \(FastProfile.podServingTarget(adServer: origin))audience: {viewers: \(viewers), ramp: 1s}
        playback: {segments: ads}
        breaks:
          source: {list: [\(breaks)]}
          podDuration: 2s
          grace: 2s
        pods: {repeatShare: \(repeatShare)}
        connection: {\(StarvedMachine.timeouts)}
        \(StarvedMachine.budgets)
        thresholds: [breaks.count >= 1, breaks.on_time >= 0%]
        allowFindings: [\(StarvedMachine.findings.sorted().joined(separator: ", "))]
        """
    }
}
