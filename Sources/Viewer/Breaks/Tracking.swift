import AdServing
import Audience
import LoadProfile
import Rulebook

/// What a viewer sends to say that it saw ads, fed by the ad clock: beacons that come with an interstitial, and media
/// verification pings of a pod, whose ids the session's metadata names.
struct Tracking: Sendable {
    private var pings = MediaPings()

    /// An ad of a pod has come to a tracking event.
    mutating func saw(_ event: TrackingEvent, ad: Int, of planned: PlannedBreak, turn: inout Turn) {
        pings.saw(event, ad: ad, of: planned, turn: &turn)
    }

    /// Sends a beacon, by players that do, and by all where the application reports; nobody reads the answer.
    static func send(beacon url: String, turn: inout Turn) {
        guard turn.persona.interstitials.sendsBeacons || turn.plan.adapter.isReportedByClient else { return }
        guard let address = turn.plan.impressions.address(of: url) else { return turn.count(.beaconsWithheld) }
        turn.count(.beaconsSent)
        turn.fetch(.beacon, url: address, plannedAt: turn.now)
    }

    /// A pod is asked for: what its ads are verified by will be named in the session that its URL names.
    mutating func begin(_ planned: PlannedBreak, verificationURL: String?, turn: inout Turn) {
        pings.begin(planned, verificationURL: verificationURL, turn: &turn)
    }

    /// Whether nothing is to be sent any more, and nothing awaited.
    var isIdle: Bool { pings.isIdle }

    mutating func learned(_ metadata: SessionMetadata, isPlaying: Bool, turn: inout Turn) {
        pings.learned(metadata, isPlaying: isPlaying, turn: &turn)
    }

    mutating func pingAnswered(turn: inout Turn) { pings.answered(turn: &turn) }

    /// Metadata is asked for while ads play: what comes must know them.
    mutating func metadataAskedDuringAds() { pings.metadataAskedDuringAds() }

    /// Whether metadata would be read for the pod whose ads play, or played last.
    func wantsMetadata(hasPodInHand: Bool) -> Bool { pings.wantsMetadata(hasPodInHand: hasPodInHand) }
}

/// The media verification pings of the pod whose ads play or played last.
///
/// They go out one after another, so that a slow target is not met with ever more connections.
struct MediaPings: Sendable {
    private struct Ping: Sendable, Equatable {
        var ad: Int32
        var event: TrackingEvent
    }

    /// What was found wrong with the metadata of a pod: each is said once.
    private struct Found: OptionSet, Sendable {
        let rawValue: UInt8
        static let lag = Found(rawValue: 1)
        static let doubled = Found(rawValue: 2)
    }

    private struct Pod: Sendable {
        let planned: PlannedBreak
        /// Of the session that the pod was asked for with: no other knows its media ids.
        let verificationURL: String?
        /// By ad and event; empty until the metadata names them.
        var mediaIDs: [String] = []
        var pending: [Ping] = []
        /// Whether metadata was asked for since the first ad began.
        var isAskedSinceStart = false
        var found: Found = []
    }

    private var pod: Pod?
    private var isUnderWay = false

    var isIdle: Bool { !isUnderWay && pod?.pending.isEmpty ?? true }

    /// A new pod: pings of the last one whose ids never became known are lost.
    mutating func begin(_ planned: PlannedBreak, verificationURL: String?, turn: inout Turn) {
        for _ in pod?.pending ?? [] { turn.count(.pingsLost) }
        pod = Pod(planned: planned, verificationURL: verificationURL)
    }

    /// Fires the ping of a tracking event, now or when the metadata names its id.
    mutating func saw(_ event: TrackingEvent, ad: Int, of planned: PlannedBreak, turn: inout Turn) {
        guard pod?.planned === planned, pod?.verificationURL != nil else { return }
        pod?.pending.append(Ping(ad: Int32(clamping: ad), event: event))
        fire(turn: &turn)
    }

    mutating func metadataAskedDuringAds() { pod?.isAskedSinceStart = true }

    func wantsMetadata(hasPodInHand: Bool) -> Bool {
        guard let pod else { return hasPodInHand }
        return !pod.pending.isEmpty || hasPodInHand && pod.mediaIDs.isEmpty
    }

    mutating func learned(_ metadata: SessionMetadata, isPlaying: Bool, turn: inout Turn) {
        guard let planned = pod?.planned else { return }
        let ids = metadata.mediaIDs(of: planned.identifier)
        guard !ids.isEmpty else {
            if isPlaying { checkLag(of: metadata, planned, turn: &turn) }
            return
        }
        checkDoubling(in: metadata, planned, turn: &turn)
        pod?.mediaIDs = ids
        fire(turn: &turn)
    }

    mutating func answered(turn: inout Turn) {
        isUnderWay = false
        fire(turn: &turn)
    }

    /// Sends the oldest pending ping whose id is known, unless one is on its way: the metadata may name an ad of the pod
    /// later than the one before it.
    private mutating func fire(turn: inout Turn) {
        while !isUnderWay, let url = takePing() {
            guard let address = turn.plan.impressions.address(of: url) else {
                turn.count(.pingsWithheld)
                continue
            }
            isUnderWay = true
            turn.count(.pingsSent)
            turn.fetch(.verification, url: address, plannedAt: turn.now)
        }
    }

    /// The URL of the ping that is due next, which then is pending no more.
    private mutating func takePing() -> String? {
        guard let pod, let base = pod.verificationURL else { return nil }
        for (index, ping) in pod.pending.enumerated() {
            guard let mediaID = Self.mediaID(of: ping, in: pod) else { continue }
            self.pod?.pending.remove(at: index)
            return MediaVerification.url(base: base, mediaID: mediaID)
        }
        return nil
    }

    private static func mediaID(of ping: Ping, in pod: Pod) -> String? {
        guard let step = TrackingEvent.mediaSteps.firstIndex(of: ping.event) else { return nil }
        let index = Int(ping.ad) * TrackingEvent.mediaSteps.count + step
        return pod.mediaIDs.indices.contains(index) && !pod.mediaIDs[index].isEmpty ? pod.mediaIDs[index] : nil
    }

    /// Metadata that was asked for while an ad plays must know the pod, which was decided before.
    ///
    /// How a pod in a sequence is named there no document says: of such a one only metadata without any tag is held to lag.
    private mutating func checkLag(of metadata: SessionMetadata, _ planned: PlannedBreak, turn: inout Turn) {
        guard let pod, pod.isAskedSinceStart, !pod.found.contains(.lag) else { return }
        if case .sequence = planned.identifier, !metadata.tags.isEmpty { return }
        self.pod?.found.insert(.lag)
        let finding = ViewerNote.finding(
            .metadataLag,
            expected: "tags of \(planned.identifier.pathComponent), whose first ad began before metadata was asked for",
            observed: "\(metadata.tags.count) tags, none of them of it"
        )
        turn.note(finding, of: planned)
    }

    private mutating func checkDoubling(in metadata: SessionMetadata, _ planned: PlannedBreak, turn: inout Turn) {
        guard let pod, !pod.found.contains(.doubled) else { return }
        guard let event = metadata.doubledEvent(ofAds: metadata.ads(of: planned.identifier)) else { return }
        self.pod?.found.insert(.doubled)
        let finding = ViewerNote.finding(
            .pingDoubled,
            expected: "one media id for each event of an ad",
            observed: "two media ids for the \(event) of one ad of \(planned.identifier.pathComponent)"
        )
        turn.note(finding, of: planned)
    }
}
