package import AdServing
package import Rulebook

/// Which media verification pings are due for the pod whose ads play or played last, and to where.
package struct PodPings: Sendable {
    /// Something wrong with the metadata of a pod.
    package struct Finding: Sendable {
        package let code: FindingCode
        package let expected: String
        package let observed: String
    }

    private struct Ping: Sendable, Equatable {
        var ad: Int32
        var event: TrackingEvent
    }

    /// What was found already: each is said once.
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
        pod?.pending.append(Ping(ad: Int32(clamping: ad), event: event))
        return true
    }

    package mutating func metadataAskedDuringAds() { pod?.isAskedSinceStart = true }

    /// Whether metadata would be read for the pod.
    package func wantsMetadata(hasPodInHand: Bool) -> Bool {
        guard let pod else { return hasPodInHand }
        return !pod.pending.isEmpty || hasPodInHand && pod.mediaIDs.isEmpty
    }

    /// Takes what metadata says of the pod.
    ///
    /// - Returns: What is wrong with it.
    package mutating func learned(_ metadata: SessionMetadata, isPlaying: Bool) -> [Finding] {
        guard let planned = pod?.planned else { return [] }
        let ids = metadata.mediaIDs(of: planned.identifier)
        guard !ids.isEmpty else { return isPlaying ? lag(of: metadata, planned) : [] }
        pod?.mediaIDs = ids
        return doubling(in: metadata, planned)
    }

    /// The URL of the ping that is due next, which then is pending no more: the oldest whose id is known.
    ///
    /// The metadata may name an ad of the pod later than the one before it.
    package mutating func next() -> String? {
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
