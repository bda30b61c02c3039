package import AdServing
import Profile
import Rules

/// Beacons of interstitials and media verification pings of a pod, driven by the ad clock.
///
/// Pings go out one after another, so that a slow target does not get ever more connections.
package struct Tracking: Sendable {
    private var pings = PodPings()
    private var isUnderWay = false

    package init() {}

    package mutating func saw(_ event: TrackingEvent, ad: Int, of planned: PlannedBreak, turn: inout Turn) {
        if pings.saw(event, ad: ad, of: planned) { fire(turn: &turn) }
    }

    package mutating func loaded(_ segment: TimedSegment, of planned: PlannedBreak) {
        pings.loaded(segment, of: planned)
    }

    /// Nanoseconds of the pod at which the next known media id is due.
    package var nextCue: Int64? { pings.nextCue }

    /// Sends the pings due up to a position, in nanoseconds of the pod.
    package mutating func reached(_ position: Int64, turn: inout Turn) {
        let planned = pings.planned
        for finding in pings.reached(position) { turn.note(finding, of: planned) }
        fire(turn: &turn)
    }

    /// Whether the last pinged id is listed in metadata, so that it may be a prefix of the right one.
    package var wasListed: Bool { pings.wasListed }

    /// Sends a beacon if the persona does, or for all personas if the application reports; the answer is ignored.
    package static func send(beacon url: String, turn: inout Turn) {
        guard turn.persona.interstitials.sendsBeacons || turn.plan.adapter.isReportedByClient else { return }
        guard let address = turn.plan.impressions.address(of: url) else { return turn.count(.beaconsWithheld) }
        turn.count(.beaconsSent)
        turn.fetch(.beacon, url: address, plannedAt: turn.now)
    }

    /// Begins a pod.
    ///
    /// `verificationURL` is from the session that the pod's URL names.
    package mutating func begin(_ planned: PlannedBreak, verificationURL: String?, turn: inout Turn) {
        for _ in 0..<pings.begin(planned, verificationURL: verificationURL) { turn.count(.pingsLost) }
    }

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

    /// Records a metadata request while ads play: its answer must know them.
    package mutating func metadataAskedDuringAds() { pings.metadataAskedDuringAds() }

    /// Whether metadata would be read for the pod whose ads play, or played last.
    package func wantsMetadata(hasPodInHand: Bool) -> Bool { pings.wantsMetadata(hasPodInHand: hasPodInHand) }

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
