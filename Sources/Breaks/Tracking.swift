package import AdServing
package import Audience
import LoadProfile
import Players
import Rulebook

/// What a viewer sends to say that it saw ads, fed by the ad clock: beacons that come with an interstitial, and media
/// verification pings of a pod.
///
/// Pings go out one after another, so that a slow target is not met with ever more connections.
package struct Tracking: Sendable {
    private var pings = PodPings()
    private var isUnderWay = false

    package init() {}

    /// An ad of a pod has come to a tracking event.
    package mutating func saw(_ event: TrackingEvent, ad: Int, of planned: PlannedBreak, turn: inout Turn) {
        if pings.saw(event, ad: ad, of: planned) { fire(turn: &turn) }
    }

    /// A segment of the pod's ads is in hand.
    package mutating func loaded(_ segment: TimedSegment, of planned: PlannedBreak) {
        pings.loaded(segment, of: planned)
    }

    /// When the playhead comes to the next media id in the ads, in nanoseconds of the pod; nil where none is known.
    package var nextCue: Int64? { pings.nextCue }

    /// The playhead has come to a place in the pod, in nanoseconds: what the ads carry up to there is pinged.
    package mutating func reached(_ position: Int64, turn: inout Turn) {
        let planned = pings.planned
        for finding in pings.reached(position) { turn.note(finding, of: planned) }
        fire(turn: &turn)
    }

    /// Whether the id that was pinged last is one that metadata lists, which may be the beginning of the right one.
    package var wasListed: Bool { pings.wasListed }

    /// Sends a beacon, by players that do, and by all where the application reports; nobody reads the answer.
    package static func send(beacon url: String, turn: inout Turn) {
        guard turn.persona.interstitials.sendsBeacons || turn.plan.adapter.isReportedByClient else { return }
        guard let address = turn.plan.impressions.address(of: url) else { return turn.count(.beaconsWithheld) }
        turn.count(.beaconsSent)
        turn.fetch(.beacon, url: address, plannedAt: turn.now)
    }

    /// A pod is asked for: what its ads are verified by will be named in the session that its URL names.
    package mutating func begin(_ planned: PlannedBreak, verificationURL: String?, turn: inout Turn) {
        for _ in 0..<pings.begin(planned, verificationURL: verificationURL) { turn.count(.pingsLost) }
    }

    /// Whether nothing is to be sent any more, and nothing awaited.
    package var isIdle: Bool { !isUnderWay && pings.isIdle }

    package mutating func learned(_ metadata: SessionMetadata, isPlaying: Bool, turn: inout Turn) {
        let planned = pings.planned
        for finding in pings.learned(metadata, isPlaying: isPlaying) { turn.note(finding, of: planned) }
        fire(turn: &turn)
    }

    package mutating func pingAnswered(turn: inout Turn) {
        isUnderWay = false
        fire(turn: &turn)
    }

    /// Metadata is asked for while ads play: what comes must know them.
    package mutating func metadataAskedDuringAds() { pings.metadataAskedDuringAds() }

    /// Whether metadata would be read for the pod whose ads play, or played last.
    package func wantsMetadata(hasPodInHand: Bool) -> Bool { pings.wantsMetadata(hasPodInHand: hasPodInHand) }

    /// Sends what is due, unless a ping is on its way.
    private mutating func fire(turn: inout Turn) {
        while !isUnderWay, let url = pings.next() {
            guard let address = turn.plan.impressions.address(of: url) else {
                turn.count(.pingsWithheld)
                continue
            }
            isUnderWay = true
            turn.count(.pingsSent)
            turn.fetch(.verification, url: address, plannedAt: turn.now)
        }
    }
}

extension Turn {
    fileprivate mutating func note(_ finding: PodPings.Finding, of planned: PlannedBreak?) {
        let note = ViewerNote.finding(finding.code, expected: finding.expected, observed: finding.observed)
        self.note(note, of: planned)
    }
}
