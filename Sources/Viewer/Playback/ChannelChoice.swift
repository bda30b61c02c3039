import HLS
import Profile
import Rules
import Values

/// Only for viewers that may change the variant.
struct ChannelChoice: Sendable {
    private(set) var multivariant: SharedMultivariant
    var variant: Int
    private var switchAt = Instant.distantFuture
    private var steering = OptionalBox<PathwaySteering>()
    /// Failed variants, by index, and until when they are not chosen again.
    private var penalties: [Int: Instant] = [:]

    init(_ multivariant: SharedMultivariant, variant: Int, turn: inout Turn) {
        (self.multivariant, self.variant) = (multivariant, variant)
        planSwitch(turn: &turn)
    }

    private var played: MultivariantPlaylist.Variant { multivariant.playlist.variants[variant] }

    /// If due, draws the time of the next change.
    mutating func isSwitchDue(turn: inout Turn) -> Bool {
        guard switchAt <= turn.now else { return false }
        planSwitch(turn: &turn)
        return true
    }

    private mutating func planSwitch(turn: inout Turn) {
        guard let every = turn.plan.playback.switchEvery else { return }
        let away = turn.chance.nanoseconds(untilNextOfMean: every.nanosecondsHeld)
        switchAt = turn.now.later(by: max(away, 1_000_000))
    }

    func otherVariant(turn: inout Turn) -> Int? { turn.any(of: others) }

    private var others: [Int] {
        multivariant.variants(onPathway: played.pathwayID).filter {
            $0 != variant && multivariant.variantURLs[$0] != nil
        }
    }

    /// Penalizes the played variant and chooses one without a penalty; nil if none is left.
    ///
    /// `isForgiven`: its own penalty was lifted for lack of another.
    mutating func replaceFailed(turn: inout Turn) -> (variant: Int, isForgiven: Bool)? {
        let outage = turn.persona.outage
        penalties[variant] = outage.penalty.map { turn.now.later(by: $0) } ?? .distantFuture
        let others = others
        let free = others.filter { (penalties[$0] ?? .distantPast) <= turn.now }
        if let other = turn.any(of: free) { return (other, false) }
        guard outage.forgives, let other = turn.any(of: others) else { return nil }
        for forgiven in others { penalties[forgiven] = nil }
        return (other, true)
    }

    // MARK: Steering (bis-22 sections 4.4.6.6 and 7). A returned variant is the one that the viewer changes to.

    /// A player without steering stays on its first pathway.
    mutating func beginSteering(turn: inout Turn) -> Int? {
        guard let named = multivariant.playlist.contentSteering, turn.persona.pathways.followsSteering else {
            return nil
        }
        steering.value = PathwaySteering(server: named.serverURI, base: multivariant.url, pathway: played.pathwayID)
        if let inline = multivariant.inlineSteering { return steered(inline, turn: &turn) }
        if !DataURI.isOne(named.serverURI) { askForSteering(turn: &turn) }
        return nil
    }

    mutating func stopSteering() { steering.value = nil }

    mutating func askForSteering(turn: inout Turn) {
        let (base, bandwidth) = (multivariant.url, played.bandwidth)
        _ = steering.change { $0.ask(base: base, throughput: bandwidth, turn: &turn) }
    }

    mutating func steered(_ manifest: SharedSteering, turn: inout Turn) -> Int? {
        guard steering.change({ $0.take(manifest, turn: &turn) }) != nil else { return nil }
        if let channel = manifest.channel { multivariant = channel }
        return preferredVariant(turn: &turn)
    }

    mutating func steeringFailed(_ failure: SteeringFailure, turn: inout Turn) {
        _ = steering.change { $0.failed(failure, turn: &turn) }
    }

    mutating func leavePathway(turn: inout Turn) -> Int? {
        guard steering.change({ $0.penalise(turn: turn) }) != nil else { return nil }
        return preferredVariant(turn: &turn)
    }

    private mutating func preferredVariant(turn: inout Turn) -> Int? {
        let offered = multivariant.playlist.pathways
        guard let wanted = steering.change({ $0.preferred(of: offered, now: turn.now) }) ?? nil,
            let next = multivariant.variant(like: variant, onPathway: wanted)
        else { return nil }
        _ = steering.change { $0.pathway = wanted }
        turn.count(.steeringSwitches)
        return next
    }
}

extension Turn {
    fileprivate mutating func any(of indices: [Int]) -> Int? {
        indices.isEmpty ? nil : indices[Int(chance.next() % UInt64(indices.count))]
    }
}

/// One viewer's view of the pathways (bis-22 sections 4.4.6.6 and 7).
struct PathwaySteering: Sendable {
    /// Nanoseconds.
    private static let shortestTimeToLive: Int64 = 1_000_000_000

    /// Nil once the server has said that there are no more manifests.
    private var server: String?
    var pathway: String
    private var priority: [String] = []
    private var penalties: [String: Instant] = [:]
    /// Nanoseconds; also the pause after a server failed.
    private var timeToLive = SteeringManifest.defaultTimeToLive.nanosecondsHeld
    private var failures: UInt8 = 0
    private var isAsking = false

    /// `server` is relative to `base`; later requests have no playlist to resolve it against.
    init(server: String, base: String, pathway: String) {
        self.server = URLReference.resolve(server, against: base) ?? server
        self.pathway = pathway
    }

    /// `throughput`: bits per second; only small requests are timed here, so the played bandwidth serves as a lower bound.
    mutating func ask(base: String, throughput: Int, turn: inout Turn) {
        guard !isAsking, let server else { return }
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
        if server != nil { turn.schedule(.steering, at: turn.now.later(by: timeToLive)) }
    }

    /// Waits as the server or the persona says, else for the time to live of the last manifest.
    mutating func failed(_ failure: SteeringFailure, turn: inout Turn) {
        isAsking = false
        switch failure {
        case .gone: server = nil
        case .busy(let retryAfter):
            turn.count(.steeringDelayed)
            let wait = retryAfter.map { Int64($0) * 1_000_000_000 } ?? timeToLive
            turn.schedule(.steering, at: turn.now.later(by: max(wait, Self.shortestTimeToLive)))
        case .failed(let reason):
            failures = failures == .max ? .max : failures + 1
            let wait = turn.persona.requests.steering.wait(after: reason, failures: failures, chance: &turn.chance)
            if wait == nil { failures = 0 }
            turn.schedule(.steering, at: turn.now.later(by: wait ?? timeToLive))
        }
    }

    mutating func penalise(turn: Turn) { penalties[pathway] = turn.now.later(by: turn.persona.pathways.penalty) }

    /// Nil if the preferred pathway is in use, or none is preferred.
    mutating func preferred(of offered: [String], now: Instant) -> String? {
        penalties = penalties.filter { $0.value > now }
        let wanted = (priority.isEmpty ? offered : priority).first { offered.contains($0) && penalties[$0] == nil }
        return wanted == pathway ? nil : wanted
    }
}
