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
        guard token.breakSerial & EventState.firstSerial == 0 else {
            let event = self.eventAnswer(role, token, result, viewer)
            let endsSession = self.sessionsEnd && self.endsSession(role, result)
            self.deliver(event, to: viewer, place: place, now: result.doneAt)
            if endsSession {
                self.deliver(.sessionEnded, to: viewer, place: place, now: result.doneAt)
            }
            return
        }
        let isCurrent = !role.belongsToBreak || token.breakSerial == viewer.breakSerial
        self.record(role, result, viewer, isCurrent: isCurrent)
        let event = isCurrent ? self.understand(role, index: token.index, result, viewer) : .podSuperseded
        let endsSession = self.sessionsEnd && self.endsSession(role, result)
        self.deliver(event, to: viewer, place: place, now: result.doneAt)
        if endsSession {
            self.deliver(.sessionEnded, to: viewer, place: place, now: result.doneAt)
        }
    }

    private func record(_ role: ViewerRole, _ result: borrowing TransferResult, _ viewer: ViewerSlot, isCurrent: Bool) {
        if role == .podManifest, isCurrent, result.sentAt != 0 {
            self.recorder.count(.podAskedMilliseconds, by: viewer.breakMilliseconds)
            if let planned = viewer.planned {
                self.pods.asked(viewer.podIdentifier, start: planned.scheduled.start)
            }
            // The burst is drawn from when requests really left, not from when they were handed over.
            self.recorder.podRequested(
                viewer.breakSlot,
                identifier: viewer.podIdentifier,
                viewer: viewer.machine.number,
                wallMicroseconds: self.plan.timebase.wall(result.sentAt).microseconds,
                url: self.redacted(result.effectiveURL, viewer)
            )
        }
        self.recordRequest(role, result, breakSlot: role.belongsToBreak && isCurrent ? viewer.breakSlot : -1)
        self.checkAnswer(role, result, viewer, breakSlot: role.belongsToBreak && isCurrent ? viewer.breakSlot : nil)
    }

    /// Records a request in every distribution and counter it belongs to.
    func recordRequest(_ role: ViewerRole, _ result: borrowing TransferResult, breakSlot: Int32) {
        // Connecting takes as long as the target likes; only the rest of the delay is the generator's.
        let connecting = (result.connectMicroseconds &+ result.tlsMicroseconds) &* 1000
        if result.sentAt &- result.plannedAt &- connecting > self.lateAfterNanoseconds {
            self.lateStarts += 1
        }
        if result.failure == .localResources {
            self.droppedStarts += 1
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
        self.recorder.record(RequestSample(result, kind: role.kind, breakSlot: breakSlot))
    }

    private func understand(
        _ role: ViewerRole,
        index: UInt8,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) -> ViewerEvent {
        switch role {
        case .registration: return self.registration(result, viewer)
        case .multivariant: return self.content(result, viewer)
        case .playlist, .blockingPlaylist: return self.livePlaylist(role, index: index, result, viewer)
        case .segment, .part:
            if !result.isSuccess { self.checkSegment(role, index: index, result, viewer) }
            return .mediaFinished(index: index, failure: result.isSuccess ? nil : LoadFailure(result))
        case .podManifest: return self.podManifest(result, viewer)
        case .podRepeat: return self.podRepeat(result, viewer)
        case .podPlaylist: return self.podPlaylist(result, viewer)
        case .podSegment: return self.podSegment(result, viewer)
        case .metadata: return self.metadata(result, viewer)
        case .verification: return self.verification(result)
        case .steering: return self.steering(result, viewer)
        case .assetList, .assetManifest, .beacon:
            return .requestFinished(role, index: index, succeeded: result.isSuccess)
        }
    }
}

extension Shard {
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
