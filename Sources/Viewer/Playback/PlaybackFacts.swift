import LoadProfile
import Time

/// What a persona says of playback, without its texts, for the machine to ask at each answer.
final class PlaybackFacts: Sendable {
    let reload: ReloadFacts
    let lowLatency: LowLatencyFacts
    let start: StartFacts
    let multivariant: RequestRule
    let playlist: RequestRule
    let segment: RequestRule
    let steering: RequestRule
    let pathways: PathwayFacts
    let maximumDownloads: UInt8
    /// True where nothing but the basis decides when a playlist is loaded again, which is what nearly all polls ask.
    let isPlain: Bool

    init(_ persona: Persona) {
        reload = persona.reload
        lowLatency = persona.lowLatency
        start = persona.start
        multivariant = persona.requests.multivariant
        playlist = persona.requests.playlist
        segment = persona.requests.segment
        steering = persona.requests.steering
        pathways = persona.pathways
        maximumDownloads = UInt8(clamping: max(persona.maximumDownloads, 1))
        isPlain =
            persona.reload.clock == .loadStart && persona.reload.unchanged == .halfTarget
            && persona.reload.afterChange != .shorterNearEdge && !persona.reload.loadsRenditionsTogether
            && persona.reload.stuckAfterTargets == nil && persona.lowLatency.blocking == .never
            && persona.lowLatency.skip == .never
    }
}

/// How a request failed, as far as a player's retries depend on it.
package enum LoadFailure: UInt8, Sendable, CaseIterable {
    /// No answer within the player's deadlines.
    case timeout
    /// A status of 400: what a server says of delivery directives that it will not follow (bis-22 section 6.2.5).
    case badRequest
    /// Another status of 400 to 499.
    case clientError
    /// A status of 503: also what a server says that held a request too long (bis-22 section 6.2.5).
    case unavailable
    /// Any other status, or no connection.
    case other
    /// A success whose body is no playlist.
    case unreadable

    var isClientError: Bool { self == .badRequest || self == .clientError }

    /// Whether a request with delivery directives may fare better without them.
    var isDirectivesFault: Bool {
        switch self {
        case .timeout, .badRequest, .unavailable: true
        case .clientError, .other, .unreadable: false
        }
    }
}

extension PlaybackPlan {
    /// Whether segments of the channel are loaded.
    var loadsContent: Bool {
        switch segments {
        case .content, .all: true
        case .none, .ads: false
        }
    }
}

extension RequestRule {
    /// Nanoseconds to wait before the next try; nil where the player gives up.
    ///
    /// Failures are counted in a row, the last one included; chance is drawn from only where a wait is spread by it.
    func wait(after failure: LoadFailure, failures: UInt8, chance: inout ViewerChance) -> Int64? {
        guard !failure.isClientError || retriesClientErrors else { return nil }
        let rule = failure == .timeout ? afterTimeout : afterError
        guard rule.retries > 0 else { return nil }
        let place = rule.fuzz > 0 ? chance.unit() : 0.5
        return rule.wait(before: Int(failures), chance: place)?.nanosecondsHeld
    }
}
