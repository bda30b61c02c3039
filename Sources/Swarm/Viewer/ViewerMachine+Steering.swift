import HLS
import LoadProfile
import Measurement

/// What a viewer knows of the pathways of a channel whose server steers its clients.
struct SteeringState: Sendable {
    /// Where the next manifest comes from; empty when the server has said that there are no more.
    var server = ""
    /// The pathway in use.
    var pathway = ""
    /// Pathways by preference, as the last manifest says.
    var priority: [String] = []
    /// Pathways that failed, and until when they are not used, monotonic nanoseconds.
    var penalties: [String: Int64] = [:]
    /// How long the last manifest holds, nanoseconds: so long a server that fails is left alone.
    var timeToLive = SteeringManifest.defaultTimeToLive.nanosecondsHeld
    /// Requests in a row that failed.
    var failures: UInt8 = 0
    var isAsking = false
}

// Content steering (bis-22 section 4.4.6.6 and 7).
extension ViewerMachine {
    /// A server that names a shorter time to live is asked no more often than this.
    private static let shortestTimeToLive: Int64 = 1_000_000_000

    /// Remembers who steers the channel, and asks it; a player that knows no steering stays where it began.
    mutating func beginSteering(_ multivariant: SharedMultivariant, now: Int64, actions: inout [ViewerAction]) {
        guard
            let steering = multivariant.playlist.contentSteering, self.playback.keepsCourse,
            self.facts.pathways.followsSteering
        else { return }
        let variant = self.playback.course.variant
        let state = SteeringState(
            // Later requests have no playlist to resolve it against.
            server: URLReference.resolve(steering.serverURI, against: multivariant.url) ?? steering.serverURI,
            pathway: multivariant.playlist.variants[variant].pathwayID
        )
        self.playback.course.steering = [state]
        if let inline = multivariant.inlineSteering {
            self.steered(inline, now: now, actions: &actions)
        } else if !DataURI.isOne(steering.serverURI) {
            self.askForSteering(plannedAt: now, actions: &actions)
        }
    }

    /// Asks for the next steering manifest.
    mutating func askForSteering(plannedAt: Int64, actions: inout [ViewerAction]) {
        guard
            self.playback.keepsCourse, let state = self.playback.course.steering.first, !state.isAsking,
            !state.server.isEmpty, let multivariant = self.playback.course.multivariant
        else { return }
        let variant = self.playback.course.variant
        let url = ContentSteering.requestURL(
            state.server,
            base: multivariant.url,
            pathway: state.pathway,
            // Nothing is timed here but small requests: at least what is played must come through.
            throughput: multivariant.playlist.variants[variant].bandwidth
        )
        self.playback.course.steering[0].isAsking = true
        self.fetch(.steering, url: url, plannedAt: plannedAt, actions: &actions)
    }

    /// A steering manifest came.
    mutating func steered(_ steering: SharedSteering, now: Int64, actions: inout [ViewerAction]) {
        guard self.playback.keepsCourse, !self.playback.course.steering.isEmpty else { return }
        let manifest = steering.manifest
        self.playback.course.steering[0].isAsking = false
        self.playback.course.steering[0].failures = 0
        self.playback.course.steering[0].priority = manifest.pathwayPriority
        self.playback.course.steering[0].server = steering.reloadURL
        let life = max(manifest.timeToLive.nanosecondsHeld, Self.shortestTimeToLive)
        self.playback.course.steering[0].timeToLive = life
        if let channel = steering.channel { self.playback.course.multivariant = channel }
        if !steering.reloadURL.isEmpty {
            actions.append(.schedule(.steering, at: now.later(by: life)))
        }
        self.takePreferredPathway(now: now, actions: &actions)
    }

    /// No manifest came: the viewer stays on its pathway, and asks again when it may, which is as for a manifest that
    /// came where nobody says otherwise.
    mutating func steeringFailed(
        _ failure: SteeringFailure,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        guard self.playback.keepsCourse, !self.playback.course.steering.isEmpty else { return }
        self.playback.course.steering[0].isAsking = false
        let timeToLive = self.playback.course.steering[0].timeToLive
        switch failure {
        case .gone:
            self.playback.course.steering[0].server = ""
        case .busy(let retryAfter):
            self.note(.steeringDelayed, &actions)
            let wait = retryAfter.map { Int64($0) * 1_000_000_000 } ?? timeToLive
            actions.append(.schedule(.steering, at: now.later(by: max(wait, Self.shortestTimeToLive))))
        case .failed(let reason):
            let failures = self.playback.course.steering[0].failures &+ 1
            self.playback.course.steering[0].failures = failures
            let wait = self.facts.steering.wait(after: reason, failures: failures, chance: &self.chance)
            if wait == nil { self.playback.course.steering[0].failures = 0 }
            actions.append(.schedule(.steering, at: now.later(by: wait ?? timeToLive)))
        }
    }

    /// Leaves a pathway whose playlist cannot be loaded, for as long as the persona says, where there is another.
    mutating func leavePathway(now: Int64, actions: inout [ViewerAction]) {
        guard self.playback.keepsCourse, let state = self.playback.course.steering.first else { return }
        self.playback.course.steering[0].penalties[state.pathway] = now.later(
            by: self.facts.pathways.penalty.nanosecondsHeld
        )
        self.takePreferredPathway(now: now, actions: &actions)
    }

    /// Goes over to the most preferred pathway that has no penalty.
    private mutating func takePreferredPathway(now: Int64, actions: inout [ViewerAction]) {
        guard let multivariant = self.playback.course.multivariant else { return }
        let state = self.playback.course.steering[0]
        let penalised = state.penalties.filter { $0.value > now }
        self.playback.course.steering[0].penalties = penalised
        let offered = multivariant.playlist.pathways
        let wanted = (state.priority.isEmpty ? offered : state.priority).first {
            offered.contains($0) && penalised[$0] == nil
        }
        guard
            let wanted, wanted != state.pathway,
            let variant = multivariant.variant(like: self.playback.course.variant, onPathway: wanted)
        else { return }
        self.playback.course.steering[0].pathway = wanted
        self.note(.steeringSwitches, &actions)
        self.move(to: variant, of: multivariant, now: now, actions: &actions)
    }
}

/// Why no steering manifest came.
package enum SteeringFailure: Sendable, Equatable {
    /// 410: the server steers no more.
    case gone
    /// 429, and the seconds of Retry-After where it says them.
    case busy(retryAfter: Int32?)
    case failed(LoadFailure)
}
