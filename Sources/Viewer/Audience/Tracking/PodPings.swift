package import AdServing
package import Rules
import Values

/// Due media verification pings of the pod whose ads play or played last, and their URLs.
package struct PodPings: Sendable {
    package struct Finding: Sendable {
        package let code: FindingCode
        package let expected: String
        package let observed: String
    }

    private enum Ping: Sendable, Equatable {
        /// From the ids that metadata lists for an event.
        case event(TrackingEvent, ad: Int32)
        /// An id that an ad carries itself.
        case mediaID(String)
    }

    private enum Source {
        case segments
        /// The ad's own segments, as far as known, but they are not read yet.
        case unread
        /// Metadata: the ad was not loaded, or carries none.
        case metadata
    }

    /// Findings already reported; each is reported once.
    private struct Found: OptionSet, Sendable {
        let rawValue: UInt8
        static let lag = Found(rawValue: 1)
        static let doubled = Found(rawValue: 2)
        static let unlisted = Found(rawValue: 4)
    }

    private struct Pod: Sendable {
        let planned: PlannedBreak
        /// From the session that requested the pod; only that session knows its media ids.
        let verificationURL: String?
        /// Indexed by ad and event; empty until metadata names them.
        var mediaIDs: [String] = []
        /// Empty if ads are not loaded.
        var segments: [TimedSegment] = []
        var listed = ListedAds()
        var pending: [Ping] = []
        /// Whether metadata was requested since the first ad began.
        var isAskedSinceStart = false
        var found: Found = []
    }

    private var pod: Pod?
    /// Whether the last pinged id is listed in metadata, so that it may be a prefix of the right one.
    package private(set) var wasListed = false

    package init() {}

    package var isIdle: Bool { pod?.pending.isEmpty ?? true }

    package var planned: PlannedBreak? { pod?.planned }

    /// Replaces the last pod.
    ///
    /// Returns its lost pings, whose ids never became known.
    package mutating func begin(_ planned: PlannedBreak, verificationURL: String?) -> Int {
        let lost = pod?.pending.count ?? 0
        pod = Pod(planned: planned, verificationURL: verificationURL)
        return lost
    }

    /// Adds the ping of a tracking event.
    ///
    /// Returns false for a pod that is not verified.
    package mutating func saw(_ event: TrackingEvent, ad: Int, of planned: PlannedBreak) -> Bool {
        guard pod?.planned === planned, pod?.verificationURL != nil else { return false }
        pod?.pending.append(.event(event, ad: Int32(clamping: ad)))
        return true
    }

    package mutating func loaded(_ segment: TimedSegment, of planned: PlannedBreak) {
        guard let pod, pod.planned === planned, pod.verificationURL != nil,
            // A repeated request may be answered twice.
            pod.segments.last.map({ $0.offsetMicroseconds < segment.offsetMicroseconds }) ?? true
        else { return }
        self.pod?.segments.append(segment)
    }

    /// Nanoseconds of the pod at which the next known media id is due.
    package var nextCue: Int64? {
        pod?.segments.lazy.compactMap(\.nextMicroseconds).min()?.multipliedClamped(by: 1_000)
    }

    /// Adds pings of the media ids up to a position in nanoseconds, whether metadata has come or not.
    ///
    /// Returns findings.
    ///
    /// Google's live sample does so, and leaves out only those that metadata calls progress.
    package mutating func reached(_ position: Int64) -> [Finding] {
        guard var pod, !pod.segments.isEmpty else { return [] }
        var findings: [Finding] = []
        for index in pod.segments.indices {
            let (ad, ids) = (pod.segments[index].ad, pod.segments[index].reached(position / 1_000))
            for id in ids where pod.listed.tag(matching: id)?.isVerified ?? true { pod.pending.append(.mediaID(id)) }
            findings += Self.unlisted(ids, ofAd: ad, in: &pod)
        }
        self.pod = pod
        return findings
    }

    package mutating func metadataAskedDuringAds() { pod?.isAskedSinceStart = true }

    package func wantsMetadata(hasPodInHand: Bool) -> Bool {
        guard let pod else { return hasPodInHand }
        if pod.pending.contains(where: { if case .event = $0 { true } else { false } }) { return true }
        return hasPodInHand && (pod.mediaIDs.isEmpty || pod.segments.last.map { $0.ad >= pod.listed.count } ?? false)
    }

    /// Returns findings.
    package mutating func learned(_ metadata: SessionMetadata, isPlaying: Bool) -> [Finding] {
        guard let planned = pod?.planned else { return [] }
        let ids = metadata.mediaIDs(of: planned.identifier)
        guard !ids.isEmpty else { return isPlaying ? lag(of: metadata, planned) : [] }
        pod?.mediaIDs = ids
        return doubling(in: metadata, planned) + list(metadata, planned)
    }

    private mutating func list(_ metadata: SessionMetadata, _ planned: PlannedBreak) -> [Finding] {
        guard var pod, !pod.segments.isEmpty else { return [] }
        pod.listed = ListedAds(metadata, of: planned.identifier)
        let findings = pod.segments.flatMap { Self.unlisted($0.metIDs, ofAd: $0.ad, in: &pod) }
        self.pod = pod
        return findings
    }

    /// Removes and returns the URL of the oldest due ping whose id is known.
    ///
    /// Metadata may name an ad of the pod later than the one before it.
    package mutating func next() -> String? {
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
    private static func unlisted(_ ids: [String], ofAd ad: Int, in pod: inout Pod) -> [Finding] {
        guard !pod.found.contains(.unlisted), pod.listed.hasTags(ofAd: ad),
            ids.contains(where: { pod.listed.tag(matching: $0) == nil })
        else { return [] }
        pod.found.insert(.unlisted)
        return [
            Finding(
                code: .mediaIDUnlisted,
                expected: "a prefix in metadata for each media id in the timed metadata of an ad that it lists",
                observed: "a media id in ad \(ad + 1) of \(pod.planned.identifier.pathComponent) that begins with "
                    + "none of \(pod.listed.prefixes) prefixes"
            )
        ]
    }

    /// Metadata requested while an ad plays must know the pod, which was decided before.
    ///
    /// No document says how metadata names a pod in a sequence; for those only metadata without any tag counts as lagging.
    private mutating func lag(of metadata: SessionMetadata, _ planned: PlannedBreak) -> [Finding] {
        guard let pod, pod.isAskedSinceStart, !pod.found.contains(.lag) else { return [] }
        if case .sequence = planned.identifier, !metadata.tags.isEmpty { return [] }
        self.pod?.found.insert(.lag)
        return [
            Finding(
                code: .metadataLag,
                expected:
                    "tags of \(planned.identifier.pathComponent), whose first ad began before metadata was asked for",
                observed: "\(metadata.tags.count) tags, none of them of it"
            )
        ]
    }

    private mutating func doubling(in metadata: SessionMetadata, _ planned: PlannedBreak) -> [Finding] {
        guard let pod, !pod.found.contains(.doubled),
            let event = metadata.doubledEvent(ofAds: metadata.ads(of: planned.identifier))
        else { return [] }
        self.pod?.found.insert(.doubled)
        return [
            Finding(
                code: .pingDoubled,
                expected: "one media id for each event of an ad",
                observed: "two media ids for the \(event) of one ad of \(planned.identifier.pathComponent)"
            )
        ]
    }
}
