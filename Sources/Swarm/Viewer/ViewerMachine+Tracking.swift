import AdServing
import HLS
import LoadProfile
import Measurement

/// What a viewer knows of the media ids it is to verify, and which pings wait for one.
struct TrackingState: Sendable {
    struct Ping: Sendable, Equatable {
        var ad: Int32
        var event: TrackingEvent
    }

    /// Of the break whose ads play or played last.
    var identifier: PodIdentifier?
    /// By ad and event; empty until the metadata names them.
    var mediaIDs: [String] = []
    var pending: [Ping] = []
    /// Of the session that the pod was asked for with: no other knows its media ids.
    var verificationURL: String?
    /// Whether metadata was asked for since the first ad began.
    var isAskedSinceStart = false
    /// Each is said once of a break.
    var isFoundLagging = false
    var isFoundDoubled = false
}

extension ViewerMachine {
    /// Fires the media verification ping of a tracking event, now or when the metadata names its id.
    mutating func track(_ event: TrackingEvent, ad: Int, now: Int64, actions: inout [ViewerAction]) {
        guard self.plan.playback.sendsVerificationPings, self.session.verificationURL != nil else { return }
        self.adBreak.course.tracking.pending.append(TrackingState.Ping(ad: Int32(clamping: ad), event: event))
        self.firePings(now: now, actions: &actions)
    }

    mutating func learned(_ metadata: SessionMetadata?, now: Int64, actions: inout [ViewerAction]) {
        guard let metadata, let identifier = self.adBreak.course.tracking.identifier else { return }
        let ids = metadata.mediaIDs(of: identifier)
        guard !ids.isEmpty else {
            self.checkLag(of: metadata, identifier, &actions)
            return
        }
        self.checkPings(in: metadata, of: identifier, &actions)
        self.adBreak.course.tracking.mediaIDs = ids
        self.firePings(now: now, actions: &actions)
    }

    /// A new break begins: pings of the last one whose ids never became known are lost.
    mutating func dropPendingPings(_ actions: inout [ViewerAction]) {
        for _ in self.adBreak.course.tracking.pending {
            self.note(.pingsLost, &actions)
        }
        self.adBreak.course.tracking = TrackingState(
            identifier: self.adBreak.planned?.identifier,
            verificationURL: self.adBreak.podVerificationURL ?? self.session.verificationURL
        )
    }

    mutating func pingAnswered(now: Int64, actions: inout [ViewerAction]) {
        self.adBreak.isPinging = false
        self.firePings(now: now, actions: &actions)
        if !self.adBreak.isGoingOn {
            self.adBreak.endCourse()
        }
    }

    /// Sends the oldest pending ping whose id is known, unless one is on its way: the metadata may name an ad of the pod
    /// later than the one before it.
    private mutating func firePings(now: Int64, actions: inout [ViewerAction]) {
        guard !self.adBreak.course.tracking.mediaIDs.isEmpty,
            let base = self.adBreak.course.tracking.verificationURL
        else { return }
        guard !self.adBreak.isPinging else { return }
        for (index, ping) in self.adBreak.course.tracking.pending.enumerated() {
            guard let mediaID = self.mediaID(of: ping) else { continue }
            self.adBreak.course.tracking.pending.remove(at: index)
            self.adBreak.isPinging = true
            self.note(.pingsSent, &actions)
            let url = MediaVerification.url(base: base, mediaID: mediaID)
            self.fetch(.verification, url: url, plannedAt: now, actions: &actions)
            return
        }
    }

    /// Whether a ping went to the session that the viewer has now: one that was renewed since may have run out.
    package func isPingOfSession(_ url: String) -> Bool {
        self.session.verificationURL.map { url.hasPrefix($0) } ?? true
    }

    /// Metadata that was asked for while an ad plays must know the pod, which was decided before.
    ///
    /// How a pod in a sequence is named there no document says: of such a one only metadata without any tag is held to lag.
    private mutating func checkLag(
        of metadata: SessionMetadata,
        _ identifier: PodIdentifier,
        _ actions: inout [ViewerAction]
    ) {
        let tracking = self.adBreak.course.tracking
        guard self.adBreak.phase == .playing, tracking.isAskedSinceStart, !tracking.isFoundLagging else { return }
        if case .sequence = identifier, !metadata.tags.isEmpty { return }
        self.adBreak.course.tracking.isFoundLagging = true
        let finding = ViewerNote.finding(
            .metadataLag,
            expected: "tags of \(identifier.pathComponent), whose first ad began before metadata was asked for",
            observed: "\(metadata.tags.count) tags, none of them of it"
        )
        actions.append(.note(finding))
    }

    private mutating func checkPings(
        in metadata: SessionMetadata,
        of identifier: PodIdentifier,
        _ actions: inout [ViewerAction]
    ) {
        guard !self.adBreak.course.tracking.isFoundDoubled else { return }
        guard let event = metadata.doubledEvent(ofAds: metadata.ads(of: identifier)) else { return }
        self.adBreak.course.tracking.isFoundDoubled = true
        let finding = ViewerNote.finding(
            .pingDoubled,
            expected: "one media id for each event of an ad",
            observed: "two media ids for the \(event) of one ad of \(identifier.pathComponent)"
        )
        actions.append(.note(finding))
    }

    private func mediaID(of ping: TrackingState.Ping) -> String? {
        guard let step = TrackingEvent.mediaSteps.firstIndex(of: ping.event) else { return nil }
        let place = Int(ping.ad) * TrackingEvent.mediaSteps.count + step
        let ids = self.adBreak.course.tracking.mediaIDs
        return ids.indices.contains(place) && !ids[place].isEmpty ? ids[place] : nil
    }
}

extension TrackingEvent {
    /// The events that are verified by a ping, in the order in which an ad goes through them.
    static let mediaSteps: [TrackingEvent] = [.started, .firstQuartile, .midpoint, .thirdQuartile, .complete]
}

extension SessionMetadata {
    /// Ids of a break's ads; empty where the break is not listed yet.
    func ads(of identifier: PodIdentifier) -> Set<String> {
        let names = identifier.metadataNames
        return Set(self.ads.filter { $0.adBreakID.map(names.contains) ?? false }.map(\.id))
    }

    /// Media ids of a break's ads: five for each ad, in the ads' order; empty where the break is not listed yet.
    func mediaIDs(of identifier: PodIdentifier) -> [String] {
        let names = identifier.metadataNames
        let ads = self.ads.filter { $0.adBreakID.map(names.contains) ?? false }
            .sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        return ads.flatMap { ad in
            TrackingEvent.mediaSteps.map { event in
                self.tags.first { $0.adID == ad.id && $0.type == event.metadataType }?.prefix ?? ""
            }
        }
    }
}

extension PodIdentifier {
    /// How the metadata may name the break: by its id; for a pod in a sequence no document says which of these.
    fileprivate var metadataNames: [String] {
        switch self {
        case .sequence(let number): ["\(number)", "pod-\(number)", "pod/\(number)"]
        case .adBreakID(let name): [name]
        }
    }
}
