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

    static let faulty = FastProfile(target: embedded.target + "    faults: faults.yaml\n")

    /// Content from anywhere, ads from an origin that runs already.
    static func podServing(content: String, adServer: String) -> FastProfile {
        FastProfile(target: podServingTarget(content: content, adServer: adServer))
    }

    /// Target of a profile whose ad server is the reference origin, and its content too where none is named; pings cost nothing.
    static func podServingTarget(content: String? = nil, adServer: String) -> String {
        """
        target:
          podServing:
            contentURL: \(content ?? "\(adServer)/live/main/multivariant.m3u8")
            adServer: \(adServer)
            networkCode: "21775744923"
            customAssetKey: sgai-hls-live
        impressions: allowed

        """
    }

    /// Thresholds of a target that answers everything in time.
    static let strict = "playlist.errors < 1%, breaks.on_time >= 99%"

    func lasting(_ duration: String, thresholds: String? = nil, rest: String = "") -> FastProfile {
        FastProfile(target: target, duration: duration, thresholds: thresholds ?? self.thresholds, rest: rest)
    }

    /// Timeouts are those of a starved machine, where `rest` says nothing of connections.
    private var connection: String { rest.contains("connection:") ? "" : "connection: {\(StarvedMachine.timeouts)}" }

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
        \(connection)
        \(StarvedMachine.budgets)
        thresholds: [\(thresholds)]
        \(StarvedMachine.allowedFindings)
        \(rest)
        """
    }
}

extension StarvedMachine {
    /// Budgets that no machine of tests passes: nothing that is missed is podswarm's doing.
    static let budgets = "generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}"

    /// A member of a profile's `connection`: what an answer takes on a machine that stands still is no failure of the target's.
    static let timeouts = "timeouts: {connect: 60s, firstByte: 60s, total: 60s}"

    /// The line of a profile by which its findings do not fail the run and every other one above advice does.
    static var allowedFindings: String {
        "allowFindings: {\(findings.sorted().map { "\($0): any" }.joined(separator: ", ")), \"*\": 0}"
    }
}
