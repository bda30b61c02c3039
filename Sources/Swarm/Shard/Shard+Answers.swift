import AdServing
import EventLoop
import HLS
import Measurement
import Transport

extension Shard: TransferHandler {
    func transferFinished(token: UInt64, _ result: borrowing TransferResult) {
        let token = ShardToken(rawValue: token)
        guard let role = ViewerRole(rawValue: token.detail), token.place < self.viewers.count else { return }
        let place = token.place
        let viewer = self.viewers[place]
        let isCurrent = !role.belongsToBreak || token.breakSerial == viewer.breakSerial
        self.record(role, result, viewer, isCurrent: isCurrent)
        let event = isCurrent ? self.understand(role, result, viewer) : .podSuperseded
        self.deliver(event, to: viewer, place: place, now: result.doneAt)
    }

    private func record(_ role: ViewerRole, _ result: borrowing TransferResult, _ viewer: ViewerSlot, isCurrent: Bool) {
        // Connecting takes as long as the target likes; only the rest of the delay is the generator's.
        let connecting = (result.connectMicroseconds &+ result.tlsMicroseconds) &* 1000
        if result.sentAt &- result.plannedAt &- connecting > self.lateAfterNanoseconds {
            self.lateStarts += 1
        }
        if result.failure == .localResources {
            self.droppedStarts += 1
        }
        if role == .podManifest, isCurrent, result.sentAt != 0 {
            self.recorder.count(.podAskedMilliseconds, by: viewer.breakMilliseconds)
            // The burst is drawn from when requests really left, not from when they were handed over.
            self.recorder.podRequested(
                viewer.breakSlot,
                identifier: viewer.podIdentifier,
                viewer: viewer.machine.number,
                wallMicroseconds: self.plan.timebase.wall(result.sentAt).microseconds
            )
        }
        let kind = Int(role.kind.rawValue)
        // A redirect that may not be followed was answered by the host that sent it, and the request failed all the same.
        let halted = result.failure == .unauthorisedHost && result.sends > 0 ? 1 : 0
        let repeated = max(result.sends - 1 - result.redirects, 0)
        if repeated + halted > 0 {
            self.resends[kind] += repeated + halted
        }
        if repeated > 0 {
            self.recorder.countRepeated(role.kind, by: UInt64(repeated))
        }
        let breakSlot = role.belongsToBreak && isCurrent ? viewer.breakSlot : -1
        self.recorder.record(RequestSample(result, kind: role.kind, breakSlot: breakSlot))
    }

    private func understand(
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) -> ViewerEvent {
        switch role {
        case .registration: return self.registration(result, viewer)
        case .multivariant: return self.content(result, viewer)
        case .playlist: return self.livePlaylist(result, viewer)
        case .segment: return .segmentFinished
        case .podManifest: return self.podManifest(result, viewer)
        case .podRepeat: return self.podRepeat(result, viewer)
        case .podPlaylist: return self.podPlaylist(result, viewer)
        case .podSegment: return .podSegmentFinished(succeeded: result.isSuccess)
        case .metadata: return self.metadata(result, viewer)
        case .verification: return self.verification(result)
        }
    }

    // MARK: The channel

    private func content(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else { return .playlistFailed(plannedAt: result.plannedAt) }
        let url = result.effectiveURL
        do {
            let parsed = self.playlists.parsed
            switch try self.playlists.content(result.body, url: url) {
            case .multivariant(let playlist): return .multivariant(playlist)
            case .media(let shared):
                if self.playlists.parsed != parsed { self.noteLiveEdge(of: shared.playlist, at: result.doneAt) }
                return .playlist(shared, plannedAt: result.plannedAt)
            }
        } catch {
            self.foundNoPlaylist(error, url: url, viewer, breakSlot: -1)
            return .playlistFailed(plannedAt: result.plannedAt)
        }
    }

    private func livePlaylist(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else { return .playlistFailed(plannedAt: result.plannedAt) }
        do {
            let parsed = self.playlists.parsed
            let shared = try self.playlists.media(
                result.body,
                at: Int(viewer.playlistPlace),
                base: result.redirects > 0 ? result.effectiveURL : nil
            )
            if self.playlists.parsed != parsed { self.noteLiveEdge(of: shared.playlist, at: result.doneAt) }
            return .playlist(shared, plannedAt: result.plannedAt)
        } catch {
            self.foundNoPlaylist(error, url: result.effectiveURL, viewer, breakSlot: -1)
            return .playlistFailed(plannedAt: result.plannedAt)
        }
    }

    /// Measures how fresh the channel is: how far what it offers ends behind the wall clock.
    ///
    /// By the run's own clock, so that a step of the wall clock does not show as a stale target.
    private func noteLiveEdge(of playlist: MediaPlaylist, at now: Int64) {
        guard !playlist.hasEndList, let edge = playlist.endProgramDate else { return }
        let age = self.plan.timebase.wall(now).microseconds.subtractingReportingOverflow(edge.microseconds)
        self.recorder.liveEdge(ageMicroseconds: age.overflow ? .max : age.partialValue)
    }

    // MARK: The session

    private func registration(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else {
            return .registrationFailed(status: result.failure == nil ? result.status : nil)
        }
        do {
            return .registered(try StreamSession(json: result.body))
        } catch {
            // Success without a document: as good as one that lacks the stream id, and found as such.
            return .registered(StreamSession())
        }
    }

    private func metadata(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess, viewer.machine.wantsMetadata else { return .metadata(nil) }
        return .metadata(try? SessionMetadata(json: result.body))
    }

    private func verification(_ result: borrowing TransferResult) -> ViewerEvent {
        switch MediaVerification.meaning(status: result.failure == nil ? result.status : 0) {
        case .recorded: self.recorder.count(.pingsRecorded)
        case .accepted: self.recorder.count(.pingsAccepted)
        case .unknown: self.recorder.count(.pingsUnknown)
        case .failed: self.recorder.count(.pingsFailed)
        }
        return .pingAnswered
    }

    // MARK: Pods

    private func podManifest(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else { return .podFailed(result.breakFailure(otherwise: .podManifestFailed)) }
        let url = result.effectiveURL
        do {
            let playlist = try Playlist.parse(result.body)
            self.compare(result.body, isPod: playlist.holdsMedia, rendition: "", url: url, viewer)
            return .podManifest(playlist, url: url)
        } catch {
            self.compare(result.body, isPod: false, rendition: "", url: url, viewer)
            self.foundNoPlaylist(error, url: url, viewer, breakSlot: viewer.breakSlot)
            return .podFailed(.notAPlaylist)
        }
    }

    private func podPlaylist(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else { return .podFailed(result.breakFailure(otherwise: .podPlaylistFailed)) }
        let url = result.effectiveURL
        let rendition = self.rendition(of: url, viewer)
        do {
            let playlist = try Playlist.parse(result.body)
            self.compare(result.body, isPod: playlist.holdsMedia, rendition: rendition, url: url, viewer)
            guard case .media(let media) = playlist else { return .podFailed(.notAPlaylist) }
            return .podPlaylist(media, url: url)
        } catch {
            self.compare(result.body, isPod: false, rendition: rendition, url: url, viewer)
            self.foundNoPlaylist(error, url: url, viewer, breakSlot: viewer.breakSlot)
            return .podFailed(.notAPlaylist)
        }
    }

    private func podRepeat(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard
            result.isSuccess, let own = viewer.machine.streamID,
            let first = viewer.podFingerprint
        else { return .podRepeatFinished }
        let again = MaskedBody.fingerprint(result.body, own: own).hash
        if again != first {
            let url = result.effectiveURL
            self.found(
                .podChangedOnRepeat,
                url: url,
                expected: "the pod of the first answer (\(first.shortHex))",
                observed: "another pod (\(again.shortHex))",
                viewer,
                breakSlot: viewer.breakSlot
            )
        }
        return .podRepeatFinished
    }

    /// Hashes a pod body with the viewer's own id masked, for the comparison between viewers, and looks for ids of others.
    ///
    /// A body that is no pod, or one without media, is a finding of its own and not another pod.
    private func compare(
        _ body: UnsafeRawBufferPointer,
        isPod: Bool,
        rendition: String,
        url: String,
        _ viewer: ViewerSlot
    ) {
        guard let own = viewer.machine.streamID else { return }
        let (hash, foreign) = MaskedBody.fingerprint(body, own: own)
        let slot = viewer.breakSlot
        if rendition.isEmpty {
            viewer.podFingerprint = hash
        }
        if let foreign {
            self.found(
                .foreignStreamID,
                url: url,
                expected: "the viewer's own stream id \(own.redacted)",
                observed: "the stream id \(StreamID(foreign).redacted) of another session",
                viewer,
                breakSlot: slot
            )
        }
        guard isPod, self.comparesPods, foreign == nil else { return }
        self.recorder.podObserved(
            slot,
            identifier: viewer.podIdentifier + rendition,
            fingerprint: hash,
            viewer: viewer.machine.number,
            evidence: Evidence(url: self.redacted(url, viewer), expected: "", observed: hash.shortHex)
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

extension Shard {
    func foundNoPlaylist(_ error: PlaylistError, url: String, _ viewer: ViewerSlot, breakSlot: Int32) {
        self.found(
            .notAPlaylist,
            url: url,
            expected: "an HLS playlist",
            observed: "\(error.code.rawValue) at line \(error.line): \(error.detail)",
            viewer,
            breakSlot: breakSlot
        )
    }

    func found(
        _ code: FindingCode,
        url: String,
        expected: String,
        observed: String,
        _ viewer: ViewerSlot,
        breakSlot: Int32
    ) {
        let number = viewer.machine.number
        self.observer?.viewer(number, found: code, expected: expected, observed: observed)
        self.recorder.finding(
            code,
            viewer: number,
            breakSlot: breakSlot,
            wallMicroseconds: MonotonicClock.wallMicroseconds(),
            evidence: Evidence(url: self.redacted(url, viewer), expected: expected, observed: observed)
        )
    }

    func redacted(_ url: String, _ viewer: ViewerSlot) -> String {
        Redaction.url(url, own: viewer.machine.streamID)
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

extension UInt64 {
    /// The first eight hexadecimal digits: enough to tell two fingerprints apart in a report.
    fileprivate var shortHex: String {
        let text = String(self, radix: 16)
        return String((String(repeating: "0", count: 16 - text.count) + text).prefix(8))
    }
}
