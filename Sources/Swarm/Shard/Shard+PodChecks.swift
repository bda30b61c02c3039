import AdServing
import EventLoop
import HLS
import LoadProfile
import Measurement
import Transport

// What is wrong with one pod, beside what the viewer's machine finds in it.
extension Shard {
    /// An answer of pod serving or of an interstitial, with the break that it belongs to.
    struct PodAnswer {
        let role: ViewerRole
        let slot: Int32
        /// Whether a manifest or an asset list listed what was asked for.
        let isPart: Bool
    }

    /// Whether a pod's manifest names a break before the one that it was asked for; books it.
    ///
    /// Equal bodies alone say nothing, because creatives recur.
    func foundStale(_ playlist: Playlist, url: String, _ viewer: ViewerSlot) -> Bool {
        guard let planned = viewer.planned, let uri = playlist.firstURI, let named = PodIdentifier(inURL: uri) else {
            return false
        }
        let name = named.pathComponent
        guard name != viewer.podIdentifier, self.pods.isEarlier(name, than: planned.scheduled.start) else {
            return false
        }
        self.found(
            .stalePod,
            url: url,
            expected: "the pod \(viewer.podIdentifier)",
            observed: "URIs of the pod \(name), of a break before",
            viewer,
            breakSlot: viewer.breakSlot
        )
        return true
    }

    /// What a pod's media playlist is found to be besides its length.
    ///
    /// - Parameters:
    ///   - media: The pod, or an asset of an interstitial.
    ///   - pod: The pod's name among those of its break, where its renditions are to be compared.
    ///   - url: Of the playlist.
    ///   - viewer: Who got it.
    ///   - slot: Its break.
    ///   - isWhole: Whether nothing else fills the break.
    func inspect(
        _ media: MediaPlaylist,
        pod: String?,
        url: String,
        _ viewer: ViewerSlot,
        slot: Int32,
        isWhole: Bool
    ) {
        guard !media.segments.isEmpty else { return }
        if isWhole, media.isSlate {
            self.foundSlate(url: url, observed: "\(media.segments.count) segments, all of slate", viewer, slot: slot)
        }
        guard let pod, self.comparesPods else { return }
        let shape = PodShape(
            durationMilliseconds: Int(clamping: media.durationMicroseconds / 1_000),
            segments: media.segments.count,
            discontinuities: media.segments.dropFirst().count { $0.isDiscontinuity }
        )
        self.recorder.podObserved(
            slot,
            identifier: PodLedger.renditionsPrefix + pod,
            fingerprint: shape.fingerprint,
            viewer: viewer.machine.number,
            wallMicroseconds: MonotonicClock.wallMicroseconds(),
            evidence: Evidence(url: self.redacted(url, viewer), expected: "", observed: shape.description)
        )
    }

    func foundSlate(url: String, observed: String, _ viewer: ViewerSlot, slot: Int32) {
        self.found(
            .slateOnly,
            url: url,
            expected: "at least one ad",
            observed: observed,
            viewer,
            breakSlot: slot
        )
    }

    // MARK: What is not there

    /// Looks at how a request for a pod, an asset list or a part of either was answered, before it is understood.
    func checkAvailability(_ result: borrowing TransferResult, _ answer: PodAnswer, _ viewer: ViewerSlot) {
        self.noteUnavailability(result, answer, viewer)
        guard !result.isSuccess else {
            guard answer.role != .podSegment else { return }
            self.checkFound(result, answer, viewer)
            return
        }
        if result.failure == nil, result.status == 404, answer.role != .podSegment {
            guard !(self.sessionsEnd && self.endsSession(answer.role, result)) else { return }
            self.checkNotFound(result, answer, viewer)
        } else if answer.isPart, let reason = result.unreachableReason {
            self.found(
                .podPartUnreachable,
                url: result.effectiveURL,
                expected: "what the pod lists can be loaded",
                observed: reason,
                viewer,
                breakSlot: answer.slot
            )
        }
    }

    private func checkFound(_ result: borrowing TransferResult, _ answer: PodAnswer, _ viewer: ViewerSlot) {
        let url = result.effectiveURL
        let name = SharedName.hash(of: url, own: self.ownID(answer, viewer))
        guard self.pods.found(name, at: result.doneAt) else { return }
        self.note(PodLedger.found, name: name, url: url, observed: "status \(result.status)", answer, viewer)
    }

    /// Answers of servers side by side may cross; what is found and a second later is not, was there and is denied.
    private static let crossing: Int64 = 1_000_000_000

    private func checkNotFound(_ result: borrowing TransferResult, _ answer: PodAnswer, _ viewer: ViewerSlot) {
        let url = result.effectiveURL
        let name = SharedName.hash(of: url, own: self.ownID(answer, viewer))
        var sign = result.signOfCache
        if sign == nil, let before = self.pods.firstFound(name), result.sentAt &- before > Self.crossing {
            sign = "\((result.sentAt &- before) / 1_000_000) ms after the same URL was answered with success"
        }
        guard let sign else {
            self.pods.notFound(name)
            self.note(PodLedger.missing, name: name, url: url, observed: "status 404", answer, viewer)
            return
        }
        self.found(
            .podNotFoundCached,
            url: url,
            expected: "a 404 that is not kept, and only before the pod is there",
            observed: "status 404, \(sign)",
            viewer,
            breakSlot: answer.slot
        )
    }

    private func note(
        _ fact: UInt64,
        name: UInt64,
        url: String,
        observed: String,
        _ answer: PodAnswer,
        _ viewer: ViewerSlot
    ) {
        let prefix = answer.isPart ? PodLedger.partNotFoundPrefix : PodLedger.notFoundPrefix
        self.recorder.podObserved(
            answer.slot,
            identifier: prefix + name.shortHex,
            fingerprint: fact,
            viewer: viewer.machine.number,
            wallMicroseconds: MonotonicClock.wallMicroseconds(),
            evidence: Evidence(
                url: self.redacted(url, viewer),
                expected: "a pod that is there when its break is announced",
                observed: observed
            )
        )
    }

    private func ownID(_ answer: PodAnswer, _ viewer: ViewerSlot) -> StreamID? {
        viewer.machine.streamID ?? StreamID(viewer.machine.primaryID)
    }
}

extension Playlist {
    /// The first reference that it makes to what is to be loaded.
    fileprivate var firstURI: String? {
        switch self {
        case .multivariant(let playlist): playlist.variants.first?.uri
        case .media(let playlist): playlist.segments.first.map { playlist.uri(of: $0) }
        }
    }
}

extension MediaPlaylist {
    /// Whether every segment's path says that it is slate.
    var isSlate: Bool { !self.segments.isEmpty && self.segments.allSatisfy { self.uri(of: $0).namesSlate } }
}

extension String {
    /// Whether a path has the piece that ad servers keep slate under (`…/slate/0/…`).
    var namesSlate: Bool {
        self.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").contains("slate")
    }
}

extension TransferResult {
    /// Why a listed part could not be loaded; nil where that says nothing of the target.
    ///
    /// 401, 403 and 410 speak of the session. Deadlines are the player's own, and a break that misses one is late.
    fileprivate var unreachableReason: String? {
        switch self.failure {
        case nil:
            return self.status < 400 || [401, 403, 410].contains(self.status) ? nil : "status \(self.status)"
        case .connectRefused, .connectFailed: return "no connection"
        case .reset: return "connection reset"
        case .truncated: return "the answer was cut off"
        case .protocolError: return "the answer broke off or was no HTTP"
        case .dns: return "the host is not known"
        case .tls: return "no TLS session"
        default: return nil
        }
    }

    /// What says that a cache answered; nil where nothing does.
    fileprivate var signOfCache: String? {
        if let age = self.ageSeconds, age > 0 { return "Age \(age)" }
        guard let cache = self.header("x-cache"), cache.lowercased().contains("hit") else { return nil }
        return "X-Cache \(cache.prefix(64))"
    }
}

extension UInt64 {
    /// The first eight hexadecimal digits: enough to tell two fingerprints apart in a report.
    var shortHex: String {
        let text = String(self, radix: 16)
        return String((String(repeating: "0", count: 16 - text.count) + text).prefix(8))
    }
}
