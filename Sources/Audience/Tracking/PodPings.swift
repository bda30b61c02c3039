package import AdServing
package import Rulebook
import Time

/// Which media verification pings are due for the pod whose ads play or played last, and to where.
package struct PodPings: Sendable {
    /// Something wrong with the metadata of a pod.
    package struct Finding: Sendable {
        package let code: FindingCode
        package let expected: String
        package let observed: String
    }

    private enum Ping: Sendable, Equatable {
        /// Of what metadata lists for an event.
        case event(TrackingEvent, ad: Int32)
        /// Of what an ad carries itself.
        case mediaID(String)
    }

    /// Where the media ids of an ad come from.
    private enum Source {
        /// From the ad's own segments.
        case segments
        /// From there, as far as anybody knows, and they are not known yet.
        case unread
        /// From what metadata lists: the ad was not loaded, or carries none.
        case metadata
    }

    /// What was found already: each is said once.
    private struct Found: OptionSet, Sendable {
        let rawValue: UInt8
        static let lag = Found(rawValue: 1)
        static let doubled = Found(rawValue: 2)
        static let unlisted = Found(rawValue: 4)
    }

    private struct Pod: Sendable {
        let planned: PlannedBreak
        /// Of the session that the pod was asked for with: no other knows its media ids.
        let verificationURL: String?
        /// By ad and event; empty until the metadata names them.
        var mediaIDs: [String] = []
        /// What was loaded of its ads, in their order; empty where ads are not loaded.
        var segments: [TimedSegment] = []
        var listed = ListedAds()
        var pending: [Ping] = []
        /// Whether metadata was asked for since the first ad began.
        var isAskedSinceStart = false
        var found: Found = []
    }

    private var pod: Pod?
    /// Whether the id that was pinged last is one that metadata lists, which may be the beginning of the right one.
    package private(set) var wasListed = false

    package init() {}

    package var isIdle: Bool { pod?.pending.isEmpty ?? true }

    /// The break whose pod it is.
    package var planned: PlannedBreak? { pod?.planned }

    /// A new pod takes the place of the last one.
    ///
    /// - Returns: How many pings of that one are lost, because their ids never became known.
    package mutating func begin(_ planned: PlannedBreak, verificationURL: String?) -> Int {
        let lost = pod?.pending.count ?? 0
        pod = Pod(planned: planned, verificationURL: verificationURL)
        return lost
    }

    /// An ad of a pod has come to a tracking event.
    ///
    /// - Returns: False for a pod of which nothing is verified.
    package mutating func saw(_ event: TrackingEvent, ad: Int, of planned: PlannedBreak) -> Bool {
        guard pod?.planned === planned, pod?.verificationURL != nil else { return false }
        pod?.pending.append(.event(event, ad: Int32(clamping: ad)))
        return true
    }

    /// A segment of the pod's ads is in hand.
    package mutating func loaded(_ segment: TimedSegment, of planned: PlannedBreak) {
        guard let pod, pod.planned === planned, pod.verificationURL != nil,
            // Asked for twice, it may be answered twice.
            pod.segments.last.map({ $0.offsetMicroseconds < segment.offsetMicroseconds }) ?? true
        else { return }
        self.pod?.segments.append(segment)
    }

    /// When the playhead comes to the next media id, in nanoseconds of the pod; nil where none is known.
    package var nextCue: Int64? {
        pod?.segments.lazy.compactMap(\.nextMicroseconds).min()?.multipliedClamped(by: 1_000)
    }

    /// The playhead has come to a place in the pod, in nanoseconds: what ids it came to are pinged, whether metadata have
    /// come or not.
    ///
    /// Google's live sample does so, and leaves out only those that metadata calls progress.
    ///
    /// - Returns: What is wrong with them.
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

    /// Whether metadata would be read for the pod.
    package func wantsMetadata(hasPodInHand: Bool) -> Bool {
        guard let pod else { return hasPodInHand }
        if pod.pending.contains(where: { if case .event = $0 { true } else { false } }) { return true }
        return hasPodInHand && (pod.mediaIDs.isEmpty || pod.segments.last.map { $0.ad >= pod.listed.count } ?? false)
    }

    /// Takes what metadata says of the pod.
    ///
    /// - Returns: What is wrong with it.
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

    /// The URL of the ping that is due next, which then is pending no more: the oldest whose id is known.
    ///
    /// The metadata may name an ad of the pod later than the one before it.
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

    /// A player learns from the prefix what an id is of: metadata that lists an ad lists the ids that it carries.
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

    /// Metadata that was asked for while an ad plays must know the pod, which was decided before.
    ///
    /// How a pod in a sequence is named there no document says: of such a one only metadata without any tag is held to lag.
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
