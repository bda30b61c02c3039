import Audience
import HLS
import LoadProfile
import Players
import Rulebook
import Time

/// What a viewer knows of the pathways of a channel whose server steers its clients (bis-22 section 4.4.6.6 and 7).
struct PathwaySteering: Sendable {
    /// A server that names a shorter time to live is asked no more often than this, nanoseconds.
    private static let shortestTimeToLive: Int64 = 1_000_000_000

    /// Where the next manifest comes from; empty when the server has said that there are no more.
    private var server: String
    /// The pathway in use.
    private(set) var pathway: String
    /// Pathways by preference, as the last manifest says.
    private var priority: [String] = []
    /// Pathways that failed, and until when they are not used.
    private var penalties: [String: Instant] = [:]
    /// How long the last manifest holds, nanoseconds: so long a server that fails is left alone.
    private var timeToLive = SteeringManifest.defaultTimeToLive.nanosecondsHeld
    /// Requests in a row that failed.
    private var failures: UInt8 = 0
    private var isAsking = false

    /// - Parameters:
    ///   - server: As the multivariant playlist names it; relative to `base`.
    ///   - base: The multivariant playlist's URL: later requests have no playlist to resolve it against.
    ///   - pathway: The one that the viewer begins on.
    init(server: String, base: String, pathway: String) {
        self.server = URLReference.resolve(server, against: base) ?? server
        self.pathway = pathway
    }

    /// Asks for the next manifest, unless that is under way or there are no more.
    ///
    /// - Parameters:
    ///   - base: The multivariant playlist's URL.
    ///   - throughput: Bits per second. Nothing is timed here but small requests: at least what is played must come
    ///     through.
    ///   - turn: Gets the request.
    mutating func ask(base: String, throughput: Int, turn: inout Turn) {
        guard !isAsking, !server.isEmpty else { return }
        let url = ContentSteering.requestURL(server, base: base, pathway: pathway, throughput: throughput)
        isAsking = true
        if failures > 0 { turn.count(.retries) }
        turn.fetch(.steering, url: url, plannedAt: turn.now)
    }

    /// A manifest came.
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

    /// No manifest came: the viewer stays on its pathway and asks again later, unless the server steers no more.
    ///
    /// It waits as long as the server or the persona says, else for the time to live of the last manifest.
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

    /// The pathway in use is not to be used for as long as the persona says.
    mutating func penalise(turn: Turn) {
        penalties[pathway] = turn.now.later(by: turn.playerFacts.pathways.penalty)
    }

    /// The most preferred of the pathways on offer that has no penalty; nil where that is the one in use, or none.
    mutating func preferred(of offered: [String], now: Instant) -> String? {
        penalties = penalties.filter { $0.value > now }
        let wanted = (priority.isEmpty ? offered : priority).first { offered.contains($0) && penalties[$0] == nil }
        return wanted == pathway ? nil : wanted
    }

    /// The viewer goes over to another pathway.
    mutating func move(to pathway: String) { self.pathway = pathway }
}
