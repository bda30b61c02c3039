import Audience
import HLS
import LoadProfile
import Players
import Rulebook
import Time

/// What a channel offers and which of it a viewer plays, for one that may come back to it.
struct ChannelChoice: Sendable {
    private(set) var multivariant: SharedMultivariant
    private(set) var variant: Int
    /// When the viewer changes its variant, if ever.
    private var switchAt = Instant.distantFuture
    private var steering = OptionalBox<PathwaySteering>()
    /// Variants that could not be loaded, by index, and until when they are not taken again.
    private var penalties: [Int: Instant] = [:]

    init(_ multivariant: SharedMultivariant, variant: Int, turn: inout Turn) {
        self.multivariant = multivariant
        self.variant = variant
        planSwitch(turn: &turn)
    }

    private var played: MultivariantPlaylist.Variant { multivariant.playlist.variants[variant] }

    mutating func move(to variant: Int) { self.variant = variant }

    /// Whether the viewer's time for another variant has come; then the next time is drawn.
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

    /// Any other variant of the same pathway; nil where there is none.
    func otherVariant(turn: inout Turn) -> Int? { turn.any(of: others) }

    /// The other variants of the same pathway.
    private var others: [Int] {
        multivariant.variants(onPathway: played.pathwayID).filter {
            $0 != variant && multivariant.variantURLs[$0] != nil
        }
    }

    /// Puts a penalty on the variant that is played, which cannot be loaded, and finds one without.
    ///
    /// - Returns: The variant, and whether its own penalty was lifted for want of another; nil where none is left.
    mutating func replaceFailed(turn: inout Turn) -> (variant: Int, isForgiven: Bool)? {
        let outage = turn.playerFacts.outage
        penalties[variant] = outage.penalty.map { turn.now.later(by: $0) } ?? .distantFuture
        let others = others
        let free = others.filter { (penalties[$0] ?? .distantPast) <= turn.now }
        if let other = turn.any(of: free) { return (other, false) }
        guard outage.forgives, let other = turn.any(of: others) else { return nil }
        for forgiven in others { penalties[forgiven] = nil }
        return (other, true)
    }

    /// Where a rendition is loaded from, of a variant; nil where this viewer does not play such renditions.
    static func url(
        of rendition: PlayedRendition,
        _ multivariant: SharedMultivariant,
        variant: Int,
        _ plan: PlaybackPlan
    ) -> String? {
        let isPlayed =
            switch rendition {
            case .video: true
            case .audio: plan.playsAudioRendition
            case .subtitles: plan.playsSubtitles
            }
        return isPlayed ? multivariant.url(of: rendition, variant: variant) : nil
    }
}

// Steering (bis-22 section 4.4.6.6 and 7). What returns a variant has it that the viewer goes over to it.
extension ChannelChoice {
    /// Remembers who steers the channel, and asks it; a player that knows no steering stays where it began.
    mutating func beginSteering(turn: inout Turn) -> Int? {
        guard let named = multivariant.playlist.contentSteering, turn.playerFacts.pathways.followsSteering else {
            return nil
        }
        steering.value = PathwaySteering(
            server: named.serverURI,
            base: multivariant.url,
            pathway: played.pathwayID
        )
        if let inline = multivariant.inlineSteering { return steered(inline, turn: &turn) }
        if !DataURI.isOne(named.serverURI) { askForSteering(turn: &turn) }
        return nil
    }

    /// The channel is left: nobody steers any more.
    mutating func stopSteering() { steering.value = nil }

    /// Asks for the next steering manifest.
    mutating func askForSteering(turn: inout Turn) {
        let (base, bandwidth) = (multivariant.url, played.bandwidth)
        _ = steering.change { $0.ask(base: base, throughput: bandwidth, turn: &turn) }
    }

    /// A steering manifest came.
    mutating func steered(_ manifest: SharedSteering, turn: inout Turn) -> Int? {
        guard steering.change({ $0.take(manifest, turn: &turn) }) != nil else { return nil }
        if let channel = manifest.channel { multivariant = channel }
        return preferredVariant(turn: &turn)
    }

    /// No steering manifest came.
    mutating func steeringFailed(_ failure: SteeringFailure, turn: inout Turn) {
        _ = steering.change { $0.failed(failure, turn: &turn) }
    }

    /// Leaves a pathway whose playlist cannot be loaded, where there is another.
    mutating func leavePathway(turn: inout Turn) -> Int? {
        guard steering.change({ $0.penalise(turn: turn) }) != nil else { return nil }
        return preferredVariant(turn: &turn)
    }

    /// Goes over to the most preferred pathway that has no penalty.
    private mutating func preferredVariant(turn: inout Turn) -> Int? {
        let offered = multivariant.playlist.pathways
        guard let wanted = steering.change({ $0.preferred(of: offered, now: turn.now) }) ?? nil,
            let next = multivariant.variant(like: variant, onPathway: wanted)
        else { return nil }
        _ = steering.change { $0.move(to: wanted) }
        turn.count(.steeringSwitches)
        return next
    }
}

extension Turn {
    fileprivate mutating func any(of indices: [Int]) -> Int? {
        indices.isEmpty ? nil : indices[Int(chance.next() % UInt64(indices.count))]
    }
}
