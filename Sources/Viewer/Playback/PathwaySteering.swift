import HLS
import Profile
import Rules
import Values

/// Pathways of a channel with content steering, as one viewer knows them (bis-22 section 4.4.6.6 and 7).
struct PathwaySteering: Sendable {
    /// Lower bound, in nanoseconds, for the time to live that a server names.
    private static let shortestTimeToLive: Int64 = 1_000_000_000

    /// URL of the next manifest; empty once the server has said that there are no more.
    private var server: String
    private(set) var pathway: String
    private var priority: [String] = []
    private var penalties: [String: Instant] = [:]
    /// Time to live of the last manifest, nanoseconds; also the pause after a server failed.
    private var timeToLive = SteeringManifest.defaultTimeToLive.nanosecondsHeld
    private var failures: UInt8 = 0
    private var isAsking = false

    /// `server` is relative to `base`, the multivariant playlist's URL: later requests have no playlist to resolve it against.
    init(server: String, base: String, pathway: String) {
        self.server = URLReference.resolve(server, against: base) ?? server
        self.pathway = pathway
    }

    /// `base` is the multivariant playlist's URL.
    ///
    /// `throughput` is in bits per second: only small requests are timed here, so the played bandwidth serves as a lower bound.
    mutating func ask(base: String, throughput: Int, turn: inout Turn) {
        guard !isAsking, !server.isEmpty else { return }
        let url = ContentSteering.requestURL(server, base: base, pathway: pathway, throughput: throughput)
        isAsking = true
        if failures > 0 { turn.count(.retries) }
        turn.fetch(.steering, url: url, plannedAt: turn.now)
    }

    mutating func take(_ steering: SharedSteering, turn: inout Turn) {
        let manifest = steering.manifest
        isAsking = false
        failures = 0
        priority = manifest.pathwayPriority
        server = steering.reloadURL
        timeToLive = max(manifest.timeToLive.nanosecondsHeld, Self.shortestTimeToLive)
        if !steering.reloadURL.isEmpty {
            turn.schedule(.steering, at: turn.now.later(by: timeToLive))
        }
    }

    /// Keeps the pathway and schedules another request, unless the server has stopped steering.
    ///
    /// The wait is the server's or the persona's, else the time to live of the last manifest.
    mutating func failed(_ failure: SteeringFailure, turn: inout Turn) {
        isAsking = false
        switch failure {
        case .gone:
            server = ""
        case .busy(let retryAfter):
            turn.count(.steeringDelayed)
            let wait = retryAfter.map { Int64($0) * 1_000_000_000 } ?? timeToLive
            turn.schedule(.steering, at: turn.now.later(by: max(wait, Self.shortestTimeToLive)))
        case .failed(let reason):
            failures = failures == .max ? .max : failures + 1
            let wait = turn.playerFacts.steering.wait(after: reason, failures: failures, chance: &turn.chance)
            if wait == nil { failures = 0 }
            turn.schedule(.steering, at: turn.now.later(by: wait ?? timeToLive))
        }
    }

    mutating func penalise(turn: Turn) {
        penalties[pathway] = turn.now.later(by: turn.playerFacts.pathways.penalty)
    }

    /// Most preferred offered pathway without a penalty; nil if that is the one in use, or if there is none.
    mutating func preferred(of offered: [String], now: Instant) -> String? {
        penalties = penalties.filter { $0.value > now }
        let wanted = (priority.isEmpty ? offered : priority).first { offered.contains($0) && penalties[$0] == nil }
        return wanted == pathway ? nil : wanted
    }

    mutating func move(to pathway: String) { self.pathway = pathway }
}
