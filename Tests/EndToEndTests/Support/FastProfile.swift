import TestSupport

/// A profile of breaks every five seconds, for runs of a dozen seconds.
///
/// The origin's second break is always rehearsed by everybody: it comes between five and ten seconds after the
/// origin's start, the last viewer joins within four, and the run ends after twelve.
struct FastProfile: Sendable {
    static let viewers = 20

    var target = """
        target:
          embedded:
            segmentDuration: 1s
            adDuration: 1s
            metadataPolling: 1s

        """
    var duration = "12s"
    var thresholds = "breaks.on_time >= 0%"
    var rest = ""

    static let embedded = FastProfile()

    /// The origin breaks answers by a plan in `faults.yaml`.
    static let faulty = FastProfile(target: embedded.target + "    faults: faults.yaml\n")

    /// Content from anywhere, ads from an origin that runs already.
    static func podServing(content: String, adServer: String) -> FastProfile {
        FastProfile(
            target: """
                target:
                  podServing:
                    contentURL: \(content)
                    adServer: \(adServer)
                    networkCode: "21775744923"
                    customAssetKey: sgai-hls-live
                impressions: allowed

                """
        )
    }

    /// Thresholds of a target that answers everything in time.
    static let strict = "playlist.errors < 1%, breaks.on_time >= 99%"

    func lasting(_ duration: String, thresholds: String? = nil, rest: String = "") -> FastProfile {
        FastProfile(target: target, duration: duration, thresholds: thresholds ?? self.thresholds, rest: rest)
    }

    /// Budgets are wide and punctuality is not judged: other tests use the same cores, and these runs measure nothing.
    ///
    /// Nor is what a starved machine rightly brings about; any other finding fails the run.
    var yaml: String {
        """
        name: fast
        duration: \(duration)
        seed: 7
        \(target)audience: {viewers: \(Self.viewers), ramp: 1s}
        breaks:
          source: {every: 5s}
          podDuration: 2s
          grace: 3s
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
        thresholds: [\(thresholds)]
        \(StarvedMachine.allowedFindings)
        \(rest)
        """
    }
}

extension StarvedMachine {
    /// The line of a profile by which its findings do not fail the run and every other one above advice does.
    static var allowedFindings: String {
        "allowFindings: {\(findings.sorted().map { "\($0): any" }.joined(separator: ", ")), \"*\": 0}"
    }
}
