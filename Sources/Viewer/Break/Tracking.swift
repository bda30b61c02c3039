import AdServing
import Profile
import Rules
import Values

/// Sends beacons of interstitials and verification pings of a pod.
///
/// Pings go out one after another, so that a slow target does not get ever more connections.
struct Tracking: Sendable {
    private enum Ping: Sendable, Equatable {
        case event(TrackingEvent, ad: Int32)
        case mediaID(String)
    }

    private enum Source {
        case segments
        /// Probably the ad's own segments, which are not read yet.
        case unread
        case metadata
    }

    private struct Pod: Sendable {
        let planned: PlannedBreak
        /// Only the session that requested the pod knows its media ids.
        let verificationURL: String?
        /// Indexed by ad and event; empty until metadata names them.
        var mediaIDs: [String] = []
        var segments: [TimedSegment] = []
        /// Tags of the pod's ads, and whether each ad has some.
        var tags: [SessionMetadata.Tag] = []
        var haveTags: [Bool] = []
        var pending: [Ping] = []
        /// Whether metadata was requested since the first ad began.
        var isAskedSinceStart = false
        // Each is reported once.
        var hasLagged = false
        var isDoubled = false
        var isUnlisted = false
        var isMisdescribed = false
    }

    /// Ads that a manipulator stitched into the programme; metadata does not say which break of the playlist they are.
    private struct Programme: Sendable {
        var segments: [TimedSegment] = []
        /// Date of the newest segment; one that is loaded again after a seek is not verified twice.
        var newest = Int64.min
        var tags: [SessionMetadata.Tag] = []
        /// Addresses of pings.
        var pending: [String] = []
        /// The first played id that metadata did not list.
        var unlisted: String?
        var isAskedSince = false
        var hasLagged = false
    }

    private var pod: Pod?
    private var programme: Programme?
    private var isUnderWay = false
    /// Whether metadata lists the last pinged id, which may then be a prefix of the right one.
    private(set) var wasListed = false

    var isIdle: Bool { !isUnderWay && (pod?.pending.isEmpty ?? true) && programme == nil }

    mutating func begin(_ planned: PlannedBreak, verificationURL: String?, turn: inout Turn) {
        for _ in pod?.pending ?? [] { turn.count(.pingsLost) }
        pod = Pod(planned: planned, verificationURL: verificationURL)
    }

    mutating func saw(_ event: TrackingEvent, ad: Int, of planned: PlannedBreak, turn: inout Turn) {
        guard pod?.planned === planned, pod?.verificationURL != nil else { return }
        pod?.pending.append(.event(event, ad: Int32(clamping: ad)))
        fire(turn: &turn)
    }

    /// All personas send beacons if the application reports.
    static func send(beacon url: String, isOfApplication: Bool = false, turn: inout Turn) {
        guard
            isOfApplication || turn.persona.interstitials.sendsBeacons
                || turn.plan.templates?.isReportedByClient == true
        else { return }
        guard let address = turn.plan.impressions.address(of: url) else { return turn.count(.beaconsWithheld) }
        turn.count(.beaconsSent)
        turn.fetch(.beacon, url: address, plannedAt: turn.now)
    }

    mutating func pingAnswered(turn: inout Turn) {
        isUnderWay = false
        fire(turn: &turn)
    }

    private mutating func fire(turn: inout Turn) {
        while !isUnderWay, let url = next() {
            guard let address = turn.plan.impressions.address(of: url) else {
                turn.count(.pingsWithheld)
                continue
            }
            isUnderWay = true
            turn.count(.pingsSent)
            turn.fetch(.verification, url: address, plannedAt: turn.now)
        }
    }

    mutating func loaded(_ segment: TimedSegment, of planned: PlannedBreak) {
        guard let pod, pod.planned === planned, pod.verificationURL != nil,
            // A repeated request may be answered twice.
            pod.segments.last.map({ $0.offsetMicroseconds < segment.offsetMicroseconds }) ?? true
        else { return }
        self.pod?.segments.append(segment)
    }

    /// Nanoseconds of the pod at which the next known media id is due.
    var nextCue: Int64? { pod?.segments.lazy.compactMap(\.nextMicroseconds).min()?.multipliedClamped(by: 1_000) }

    /// Sends pings without waiting for metadata, as Google's live sample does, which leaves out only ids that metadata
    /// calls progress.
    ///
    /// `position` is in nanoseconds.
    mutating func reached(_ position: Int64, turn: inout Turn) {
        defer { fire(turn: &turn) }
        guard var pod, !pod.segments.isEmpty else { return }
        for index in pod.segments.indices {
            let (ad, ids) = (pod.segments[index].ad, pod.segments[index].reached(position / 1_000))
            for id in ids where pod.tags.matching(id)?.isVerified ?? true { pod.pending.append(.mediaID(id)) }
            Self.noteUnlisted(ids, ofAd: ad, in: &pod, turn: &turn)
        }
        self.pod = pod
    }

    /// An answer must know the ads that were playing when it was asked for.
    mutating func metadataAsked(duringPod: Bool) {
        if duringPod { pod?.isAskedSinceStart = true }
        if programme?.unlisted != nil { programme?.isAskedSince = true }
    }

    func wantsMetadata(hasPodInHand: Bool) -> Bool {
        if let programme, !programme.segments.isEmpty || programme.unlisted != nil { return true }
        guard let pod else { return hasPodInHand }
        if pod.pending.contains(where: { if case .event = $0 { true } else { false } }) { return true }
        return hasPodInHand && (pod.mediaIDs.isEmpty || pod.segments.last.map { $0.ad >= pod.haveTags.count } ?? false)
    }

    /// `played`: the pod's ads, once they are known.
    mutating func learned(_ metadata: SessionMetadata, played: AdTimeline?, isPlaying: Bool, turn: inout Turn) {
        learnProgramme(metadata, turn: &turn)
        if let planned = pod?.planned {
            let ids = metadata.mediaIDs(of: planned.identifier)
            if !ids.isEmpty {
                pod?.mediaIDs = ids
                noteDoubling(in: metadata, planned, turn: &turn)
                list(metadata, planned, turn: &turn)
                if let played { hold(metadata.orderedAds(of: planned.identifier), against: played, turn: &turn) }
            } else if isPlaying {
                noteLag(of: metadata, planned, turn: &turn)
            }
        }
        fire(turn: &turn)
    }

    private mutating func list(_ metadata: SessionMetadata, _ planned: PlannedBreak, turn: inout Turn) {
        guard var pod, !pod.segments.isEmpty else { return }
        let names = metadata.orderedAds(of: planned.identifier).map(\.id)
        let own = Set(names)
        pod.tags = metadata.tags.filter { $0.adID.map(own.contains) ?? false }
        let tagged = Set(pod.tags.compactMap(\.adID))
        pod.haveTags = names.map(tagged.contains)
        for segment in pod.segments { Self.noteUnlisted(segment.metIDs, ofAd: segment.ad, in: &pod, turn: &turn) }
        self.pod = pod
    }

    private mutating func next() -> String? {
        if let url = nextOfPod() { return url }
        guard programme?.pending.isEmpty == false else { return nil }
        wasListed = false
        return programme?.pending.removeFirst()
    }

    /// Removes the oldest ping whose id is known; the others wait for metadata.
    private mutating func nextOfPod() -> String? {
        guard var pod, let base = pod.verificationURL else { return nil }
        defer { self.pod = pod }
        var index = 0
        while index < pod.pending.count {
            switch pod.pending[index] {
            case .mediaID(let id):
                pod.pending.remove(at: index)
                wasListed = false
                return MediaVerification.url(base: base, mediaID: id)
            case .event(let event, let ad):
                switch Self.source(ofAd: Int(ad), in: pod) {
                case .segments: pod.pending.remove(at: index)
                case .unread: index += 1
                case .metadata:
                    guard let id = Self.mediaID(of: event, ad: Int(ad), in: pod) else {
                        index += 1
                        continue
                    }
                    pod.pending.remove(at: index)
                    wasListed = true
                    return MediaVerification.url(base: base, mediaID: id)
                }
            }
        }
        return nil
    }

    private static func mediaID(of event: TrackingEvent, ad: Int, in pod: Pod) -> String? {
        guard let step = TrackingEvent.mediaSteps.firstIndex(of: event) else { return nil }
        let index = ad * TrackingEvent.mediaSteps.count + step
        return pod.mediaIDs.indices.contains(index) && !pod.mediaIDs[index].isEmpty ? pod.mediaIDs[index] : nil
    }

    private static func source(ofAd ad: Int, in pod: Pod) -> Source {
        let own = pod.segments.filter { $0.ad == ad }
        if own.contains(where: { $0.carriesIDs == true }) { return .segments }
        return own.contains { $0.mediaIDs.areExpected } ? .unread : .metadata
    }

    /// Players classify an id by its prefix, so metadata that lists an ad must list the ids that it carries.
    private static func noteUnlisted(_ ids: [String], ofAd ad: Int, in pod: inout Pod, turn: inout Turn) {
        guard !pod.isUnlisted, pod.haveTags.indices.contains(ad), pod.haveTags[ad],
            ids.contains(where: { pod.tags.matching($0) == nil })
        else { return }
        pod.isUnlisted = true
        turn.found(
            .mediaIDUnlisted,
            of: pod.planned,
            expected: "a prefix in metadata for each media id in the timed metadata of an ad that it lists",
            observed: "a media id in ad \(ad + 1) of \(pod.planned.identifier.pathComponent) that begins with "
                + "none of \(pod.tags.count) prefixes"
        )
    }

    /// Metadata requested while an ad plays must know the pod, which was decided before.
    ///
    /// No document says how metadata names a pod in a sequence, so only metadata without any tag counts as lagging.
    private mutating func noteLag(of metadata: SessionMetadata, _ planned: PlannedBreak, turn: inout Turn) {
        guard let pod, pod.isAskedSinceStart, !pod.hasLagged else { return }
        if case .sequence = planned.identifier, !metadata.tags.isEmpty { return }
        self.pod?.hasLagged = true
        let name = planned.identifier.pathComponent
        turn.found(
            .metadataLag,
            of: planned,
            expected: "tags of \(name), whose first ad began before metadata was asked for",
            observed: "\(GroupedDigits.counted(metadata.tags.count, "tag")), none of them of it"
        )
    }

    /// Players show the position and length of an ad and the number of ads as metadata has them; a pod of a wrong length is found
    /// as that.
    ///
    /// A pod with fewer discontinuities, or more, is judged by its whole length alone.
    private mutating func hold(_ listed: [SessionMetadata.Ad], against played: AdTimeline, turn: inout Turn) {
        func isNear(_ microseconds: Int64, _ told: Duration) -> Bool {
            (microseconds &- told.nanosecondsHeld / 1_000).magnitude <= 1_000_000
        }
        guard let pod, !pod.isMisdescribed, pod.planned.excess(of: played, turn) == nil else { return }
        let (ads, lengths) = (played.ads, listed.compactMap(\.duration))
        let isDivided = ads.count == listed.count
        let areSame =
            lengths.count < listed.count
            || isNear(played.durationMicroseconds, lengths.reduce(.zero, +))
                && (!isDivided || zip(ads, lengths).allSatisfy { isNear($0.durationMicroseconds, $1) })
        let areInPlace =
            !isDivided
            || pod.segments.allSatisfy { segment in
                segment.metIDs.lazy.compactMap(pod.tags.matching).allSatisfy { tag in
                    listed.firstIndex { $0.id == tag.adID } == segment.ad
                }
            }
        guard !areSame || !areInPlace else { return }
        self.pod?.isMisdescribed = true
        func text(_ microseconds: [Int64]) -> String {
            let lengths = microseconds.map { String($0 / 1_000) }.joined(separator: ", ")
            return "\(GroupedDigits.counted(microseconds.count, "ad")) of \(lengths) ms"
        }
        turn.found(
            .adPodInfoDiffers,
            of: pod.planned,
            expected: text(ads.map(\.durationMicroseconds)) + ", in the order of the pod",
            observed: text(lengths.map { $0.nanosecondsHeld / 1_000 }) + (areInPlace ? "" : ", in another order")
        )
    }

    private mutating func noteDoubling(in metadata: SessionMetadata, _ planned: PlannedBreak, turn: inout Turn) {
        guard let pod, !pod.isDoubled,
            let event = metadata.doubledEvent(ofAds: metadata.ads(of: planned.identifier))
        else { return }
        self.pod?.isDoubled = true
        turn.found(
            .pingDoubled,
            of: planned,
            expected: "one media id for each event of an ad",
            observed: "two media ids for the \(event) of one ad of \(planned.identifier.pathComponent)"
        )
    }
}

/// Beacons of avails that a session's tracking URL lists, each sent when the playhead is at its moment.
///
/// Moments that have passed when their ad is first listed are over, by podswarm's assumption.
struct AvailBeacons: Sendable {
    /// A target must not fill the memory.
    private static let (kept, keptAvails) = (4_096, 256)

    /// On the viewer's time line, in order.
    private var due: [(date: WallTime, url: String)] = []
    /// Numbers of ads by avail.
    private var known: [String: Int] = [:]

    var isEmpty: Bool { due.isEmpty && known.isEmpty }

    /// Times without a date count from `zero`; a page lists only what is new, and events of a break perhaps again.
    mutating func learned(
        _ avails: [AvailTracking],
        isPage: Bool,
        _ zero: WallTime?,
        _ playback: PlaybackPart,
        turn: inout Turn
    ) {
        if known.count > Self.keptAvails {
            let listed = Set(avails.map(\.id))
            known = known.filter { listed.contains($0.key) }
        }
        guard let playhead = playback.playheadDate(turn) else { return }
        for avail in avails {
            let before = known[avail.id] ?? 0
            let count = isPage ? 0 : before
            let date = avail.programDate.flatMap { playback.placed($0, by: .coveringTag) }
            guard avail.adCount > count, let start = date ?? zero.map({ $0 + avail.start }) else { continue }
            known[avail.id] = before - count + avail.adCount
            let beacons = avail.beacons(ofAdsFrom: count)
            if let event = beacons.firstRepeated?.event {
                turn.found(.pingDoubled, expected: DoubledPing.expected, observed: DoubledPing.observed(event))
            }
            let ahead = beacons.map { (date: start + $0.offset, url: $0.url) }.filter { beacon in
                beacon.date >= playhead && !(isPage && due.contains { $0 == beacon })
            }
            due += ahead.prefix(max(0, Self.kept - due.count))
        }
        due.sort { $0.date < $1.date }
    }

    mutating func send(_ playback: PlaybackPart, turn: inout Turn) {
        guard !due.isEmpty, let playhead = playback.playheadDate(turn) else { return }
        let count = due.prefix { $0.date <= playhead }.count
        for beacon in due.prefix(count) { Tracking.send(beacon: beacon.url, turn: &turn) }
        due.removeFirst(count)
    }

    /// The distant future without a beacon ahead of the playhead, and while a stall holds it back.
    func nextInstant(_ playback: PlaybackPart, _ turn: Turn) -> Instant {
        let instant = due.first.flatMap { playback.playheadInstant(of: $0.date, turn) } ?? .distantFuture
        return instant > turn.now ? instant : .distantFuture
    }
}

/// Pings of ads that are stitched into the programme.
///
/// A player looks an id of the timed metadata up in the session's metadata, and verifies all but those of type progress (Ad
/// Manager, "Prepare client for pod serving redirect").
extension Tracking {
    /// A target that answers slowly must not fill the memory.
    private static let keptPings = 256

    mutating func loaded(_ mediaIDs: SegmentMediaIDs, in segment: Range<WallTime>) {
        var known = programme ?? Programme()
        if segment.lowerBound.microseconds > known.newest {
            known.newest = segment.lowerBound.microseconds
            known.segments.append(TimedSegment(ofProgramme: segment, mediaIDs))
        }
        programme = known
    }

    /// Programme date at which the next known media id is due.
    var nextProgrammeCue: WallTime? {
        programme?.segments.lazy.compactMap(\.nextMicroseconds).min().map { WallTime(microseconds: $0) }
    }

    /// `verificationURL` is nil while the programme is not shown.
    mutating func reached(_ playhead: WallTime, verificationURL: String?, turn: inout Turn) {
        guard var known = programme else { return }
        let position = playhead.microseconds
        for index in known.segments.indices {
            for id in known.segments[index].reached(position) {
                guard let base = verificationURL else { continue }
                let tag = known.tags.matching(id)
                if tag == nil, known.unlisted == nil { known.unlisted = id }
                guard tag?.isVerified ?? true else { continue }
                guard known.pending.count < Self.keptPings else {
                    turn.count(.pingsLost)
                    continue
                }
                known.pending.append(MediaVerification.url(base: base, mediaID: id))
            }
        }
        known.segments.removeAll { $0.offsetMicroseconds &+ $0.durationMicroseconds <= position }
        programme = known
        fire(turn: &turn)
    }

    mutating func forgetProgramme() { programme = nil }

    private mutating func learnProgramme(_ metadata: SessionMetadata, turn: inout Turn) {
        guard var known = programme else { return }
        known.tags = metadata.tags
        if let id = known.unlisted, metadata.tag(matching: id) != nil { known.unlisted = nil }
        if known.unlisted != nil, known.isAskedSince, !known.hasLagged {
            known.hasLagged = true
            turn.found(
                .metadataLag,
                expected: "a prefix of each media id that was played before metadata was asked for",
                observed: "a media id in the programme that begins with none of \(metadata.tags.count) prefixes"
            )
        }
        if known.isAskedSince { (known.unlisted, known.isAskedSince) = (nil, false) }
        programme = known
    }
}
