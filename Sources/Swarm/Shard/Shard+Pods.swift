import AdServing
import EventLoop
import HLS
import LoadProfile
import Measurement
import Transport

// What pods hold, and whether everybody gets the same.
extension Shard {
    func podManifest(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        self.checkAvailability(result, PodAnswer(role: .podManifest, slot: viewer.breakSlot, isPart: false), viewer)
        guard result.isSuccess else {
            return .podFailed(
                self.podFailure(result, viewer),
                isClientError: result.failure == nil && (400..<500).contains(result.status)
            )
        }
        guard !self.isOverdue(.assetList, result, viewer) else { return .podFailed(.deadlineMissed) }
        let url = result.effectiveURL
        do {
            let playlist = try Playlist.parse(result.body)
            let isStale = self.foundStale(playlist, url: url, viewer)
            self.compare(result.body, of: playlist, isStale: isStale, rendition: "", url: url, viewer)
            if case .media(let media) = playlist {
                self.inspect(media, pod: nil, url: url, viewer, slot: viewer.breakSlot, isWhole: true)
            }
            if playlist.holdsMedia { self.inspectPod(result, own: viewer.machine.streamID, viewer, viewer.breakSlot) }
            return .podManifest(playlist, url: url)
        } catch {
            self.compare(result.body, of: nil, rendition: "", url: url, viewer)
            self.foundNoPlaylist(error, result, viewer, breakSlot: viewer.breakSlot)
            return .podFailed(.notAPlaylist)
        }
    }

    /// An answer that did not come by the player's own deadline is a break that was lost to it.
    private func podFailure(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> BreakFailure {
        let rule = viewer.machine.persona.requests.assetList
        switch result.failure {
        case .connectTimeout where rule.connect != nil: return .deadlineMissed
        case .firstByteTimeout where rule.firstByte != nil: return .deadlineMissed
        case .totalTimeout where rule.total != nil: return .deadlineMissed
        default: return result.breakFailure(otherwise: .podManifestFailed)
        }
    }

    func podPlaylist(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        self.checkAvailability(result, PodAnswer(role: .podPlaylist, slot: viewer.breakSlot, isPart: true), viewer)
        guard result.isSuccess else { return .podFailed(result.breakFailure(otherwise: .podPlaylistFailed)) }
        let url = result.effectiveURL
        let rendition = self.rendition(of: url, viewer)
        do {
            let playlist = try Playlist.parse(result.body)
            self.compare(result.body, of: playlist, rendition: rendition, url: url, viewer)
            if playlist.holdsMedia { self.inspectPod(result, own: viewer.machine.streamID, viewer, viewer.breakSlot) }
            guard case .media(let media) = playlist else { return .podFailed(.notAPlaylist) }
            let pod = viewer.podFingerprint?.shortHex
            self.inspect(media, pod: pod, url: url, viewer, slot: viewer.breakSlot, isWhole: true)
            return .podPlaylist(media, url: url)
        } catch {
            self.compare(result.body, of: nil, rendition: rendition, url: url, viewer)
            self.foundNoPlaylist(error, result, viewer, breakSlot: viewer.breakSlot)
            return .podFailed(.notAPlaylist)
        }
    }

    func podSegment(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        self.checkAvailability(result, PodAnswer(role: .podSegment, slot: viewer.breakSlot, isPart: true), viewer)
        return .podSegmentFinished(succeeded: result.isSuccess)
    }

    func podRepeat(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        self.checkAvailability(result, PodAnswer(role: .podRepeat, slot: viewer.breakSlot, isPart: false), viewer)
        guard
            result.isSuccess, let own = viewer.machine.streamID,
            let first = viewer.podFingerprint
        else { return .podRepeatFinished }
        let again = MaskedBody.fingerprint(result.body, own: own).hash
        if again != first {
            let other = (try? Playlist.parse(result.body)).map { BodySummary.text(of: $0, own: own) }
            let (expected, observed) = ContentSummary.difference(viewer.podSummary, other ?? "no playlist")
            self.found(
                .podChangedOnRepeat,
                url: result.effectiveURL,
                expected: "the pod of the first answer: \(expected)",
                observed: observed,
                viewer,
                breakSlot: viewer.breakSlot
            )
        }
        return .podRepeatFinished
    }

    /// Hashes a pod body with the viewer's own id masked, for the comparison between viewers, and looks for ids of others.
    ///
    /// A body that is no playlist (nil), one without media and a stale one are findings of their own and not another pod.
    private func compare(
        _ body: UnsafeRawBufferPointer,
        of playlist: Playlist?,
        isStale: Bool = false,
        rendition: String,
        url: String,
        _ viewer: ViewerSlot
    ) {
        guard let own = viewer.machine.streamID else { return }
        let (hash, foreign) = MaskedBody.fingerprint(body, own: own)
        let slot = viewer.breakSlot
        if rendition.isEmpty {
            viewer.podFingerprint = hash
            if self.plan.pods.repeatShare > 0, let playlist {
                viewer.podSummary = self.pods.summary(of: hash) { BodySummary.text(of: playlist, own: own) }
            }
        }
        if let foreign {
            self.foundForeignID(foreign, own: own, url: url, viewer, slot: slot)
        }
        guard let playlist, playlist.holdsMedia, !isStale, self.comparesPods, foreign == nil else { return }
        self.recorder.podObserved(
            slot,
            identifier: viewer.podIdentifier + rendition,
            fingerprint: hash,
            viewer: viewer.machine.number,
            wallMicroseconds: MonotonicClock.wallMicroseconds(),
            evidence: Evidence(
                url: self.redacted(url, viewer),
                expected: "",
                observed: self.pods.summary(of: hash) { BodySummary.text(of: playlist, own: own) }
            )
        )
    }

    /// Names a rendition of the pod by its URL less what is the viewer's own, so that like is compared with like.
    private func rendition(of url: String, _ viewer: ViewerSlot) -> String {
        guard let own = viewer.machine.streamID else { return "" }
        var url = url
        let hash = url.withUTF8 { MaskedBody.fingerprint(UnsafeRawBufferPointer($0), own: own).hash }
        return " rendition \(hash.shortHex)"
    }
}

extension Playlist {
    /// Whether there is anything in it to play.
    fileprivate var holdsMedia: Bool {
        switch self {
        case .multivariant(let playlist): !playlist.variants.isEmpty
        case .media(let playlist): !playlist.segments.isEmpty
        }
    }
}
