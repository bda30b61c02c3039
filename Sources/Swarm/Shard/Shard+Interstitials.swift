import AdServing
import EventLoop
import HLS
import LoadProfile
import Measurement
import Transport

// What interstitials are answered with, and how their breaks are booked.
extension Shard {
    /// Records and understands the answer to a request of an interstitial.
    func eventAnswer(_ role: ViewerRole, _ token: ShardToken, _ result: borrowing TransferResult, _ viewer: ViewerSlot)
        -> ViewerEvent
    {
        let subject = viewer.machine.subject(ofSerial: token.breakSerial)
        let slot = subject.map { self.slot(of: $0.planned) } ?? -1
        self.recordRequest(role, result, breakSlot: slot)
        self.checkAnswer(role, result, viewer, breakSlot: slot)
        if let subject, subject.isContentRequest(role, index: token.index), result.sentAt != 0 {
            // The burst is drawn from when requests really left, not from when they were handed over.
            self.recorder.podRequested(
                slot,
                identifier: self.identifier(askedBy: result.effectiveURL, subject),
                viewer: viewer.machine.number,
                wallMicroseconds: self.plan.timebase.wall(result.sentAt).microseconds,
                url: self.redacted(result.effectiveURL, viewer)
            )
        }
        guard let subject else { return .podSuperseded }
        let isPart = role == .podPlaylist || role == .podSegment || role == .assetManifest && subject.isAssetList
        self.checkAvailability(result, PodAnswer(role: role, slot: slot, isPart: isPart), viewer)
        let content = self.understand(role, token, result, subject, viewer, slot: slot)
        return .interstitial(EventAnswer(role, serial: token.breakSerial, index: token.index, content))
    }

    /// The pod that an interstitial's URL names; where it names none, that it is an interstitial.
    private func identifier(askedBy url: String, _ subject: EventSubject) -> String {
        PodIdentifier(inURL: url)?.pathComponent ?? subject.planned.pathComponent
    }

    /// The measurement's place for a break of the channel.
    func slot(of planned: PlannedBreak) -> Int32 {
        self.recorder.breakSlot(
            for: planned.scheduled.key,
            start: planned.scheduled.start.microseconds,
            durationMilliseconds: Int(clamping: planned.scheduled.duration.nanosecondsHeld / 1_000_000)
        )
    }

    private func understand(
        _ role: ViewerRole,
        _ token: ShardToken,
        _ result: borrowing TransferResult,
        _ subject: EventSubject,
        _ viewer: ViewerSlot,
        slot: Int32
    ) -> EventAnswer.Content {
        guard result.isSuccess else { return .failed(EventLoadFailure(result, of: role)) }
        guard !self.isOverdue(role, result, viewer) else { return .failed(.timeout) }
        switch role {
        case .assetList: return self.assetList(result, subject, viewer, slot: slot)
        case .podSegment: return .segment
        default:
            return self.assetPlaylist(result, viewer, slot: slot) { url, pod in
                let asset = viewer.machine.asset(ofSerial: token.breakSerial, index: token.index)
                self.inspect(pod, of: asset, subject, url: url, viewer, slot: slot)
            }
        }
    }

    /// Whether a player would have given up before this answer began.
    func isOverdue(_ role: ViewerRole, _ result: borrowing TransferResult, _ viewer: ViewerSlot) -> Bool {
        let facts = viewer.machine.persona.requests
        let rule: RequestRule =
            switch role {
            case .assetList: facts.assetList
            case .assetManifest: facts.multivariant
            case .podPlaylist: facts.playlist
            default: facts.segment
            }
        guard let limit = rule.firstByte, result.firstByteAt != 0, result.sentAt != 0 else { return false }
        return result.firstByteAt &- result.sentAt > limit.nanosecondsHeld
    }

    private func assetList(
        _ result: borrowing TransferResult,
        _ subject: EventSubject,
        _ viewer: ViewerSlot,
        slot: Int32
    ) -> EventAnswer.Content {
        let url = result.effectiveURL
        do {
            var list = try AssetList(parsing: result.body)
            for index in list.assets.indices {
                list.assets[index].uri = AssetList.resolved(list.assets[index], against: url)
            }
            if let own = viewer.machine.streamID {
                self.noteForeignID(in: result.body, own: own, url: url, viewer, slot: slot)
            }
            self.compare(list, of: subject, url: url, viewer, slot: slot)
            self.checkPings(in: list, url: url, viewer, breakSlot: slot)
            self.inspect(list, subject, url: url, viewer, slot: slot)
            return .list(list)
        } catch {
            self.foundNoList(error, url: url, viewer, slot: slot)
            return .failed(EventLoadFailure(.assetListMalformed, isFinal: true))
        }
    }

    private func assetPlaylist(
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot,
        slot: Int32,
        inspect: (String, LoadedPod) -> Void
    ) -> EventAnswer.Content {
        let url = result.effectiveURL
        if let own = viewer.machine.streamID {
            self.noteForeignID(in: result.body, own: own, url: url, viewer, slot: slot)
        }
        do {
            let content = try self.assets.content(result.body, url: url)
            self.inspectPod(result, own: StreamID(viewer.machine.primaryID), viewer, slot)
            switch content {
            case .multivariant(let playlist): return .multivariant(playlist)
            case .media(let pod):
                inspect(url, pod)
                return .media(pod)
            }
        } catch {
            self.foundNoPlaylist(error, result, viewer, breakSlot: slot)
            return .failed(EventLoadFailure(.assetFailed, isFinal: true))
        }
    }

    /// Holds an asset list against those of other viewers where the channel says that they are the same
    /// (X-CONTENT-MAY-VARY=NO, bis-22 appendix D.2).
    private func compare(
        _ list: AssetList,
        of subject: EventSubject,
        url: String,
        _ viewer: ViewerSlot,
        slot: Int32
    ) {
        // A list may name the viewer's own session; one that begins in the middle is another list.
        guard self.comparesPods, subject.isSameForAll, !subject.isTrimmed else { return }
        let own = viewer.machine.streamID ?? StreamID(viewer.machine.primaryID)
        let hash = list.fingerprint(withoutOwn: [viewer.machine.primaryID, viewer.machine.streamID?.rawValue ?? ""])
        self.recorder.podObserved(
            slot,
            identifier: PodLedger.assetListPrefix + "\(subject.planned.pathComponent) \(subject.planned.scheduled.key)",
            fingerprint: hash,
            viewer: viewer.machine.number,
            wallMicroseconds: MonotonicClock.wallMicroseconds(),
            evidence: Evidence(
                url: self.redacted(url, viewer),
                expected: "",
                observed: BodySummary.text(of: list, own: own)
            )
        )
    }

    // MARK: Notes

    /// Books what a machine noted about a break of the channel.
    func take(_ note: ViewerNote, of planned: PlannedBreak, _ viewer: ViewerSlot) {
        let slot = self.slot(of: planned)
        switch note {
        case .breakDiscovered where planned.isMetAtJoin: break
        case .breakDue, .breakOnTime, .breakLate, .breakFailed, .breakSkipped, .breakDiscovered:
            let inHandAt = viewer.machine.notedInHandAt
            self.book(note, slot: slot, inHandAt: inHandAt, isMetAtJoin: planned.isMetAtJoin, viewer)
        case .podInHand: self.recorder.count(.podsFollowed)
        case .stitchedObserved(let fingerprint):
            self.recorder.podObserved(
                slot,
                identifier: PodLedger.stitchedIdentifier,
                fingerprint: fingerprint,
                viewer: viewer.machine.number,
                wallMicroseconds: MonotonicClock.wallMicroseconds(),
                evidence: Evidence(
                    url: self.redacted(viewer.machine.playlistURL, viewer),
                    expected: "",
                    observed: BodySummary.text(
                        ofSegments: viewer.machine.stitchedNames(of: planned.scheduled.key).map {
                            BodySummary.name(of: $0, own: viewer.machine.streamID)
                        }
                    )
                )
            )
        case .finding(let code, let expected, let observed):
            let url = viewer.machine.playlistURL
            self.found(code, url: url, expected: expected, observed: observed, viewer, breakSlot: slot)
        default: self.take(note, viewer)
        }
    }
}

extension EventLoadFailure {
    init(_ result: borrowing TransferResult, of role: ViewerRole) {
        let reason: BreakFailure = role == .assetList ? .assetListFailed : .assetFailed
        switch result.failure {
        case nil: self.init(reason, isClientError: (400..<500).contains(result.status))
        case .unauthorisedHost: self.init(.unauthorised, isFinal: true)
        case .connectTimeout, .firstByteTimeout, .totalTimeout: self = .timeout
        default: self.init(reason)
        }
    }
}
